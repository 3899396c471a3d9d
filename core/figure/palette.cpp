#include "core/figure/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace attnscope {

namespace {

constexpr std::array<int, 10> cividis{0x00224E, 0x123570, 0x3B496C, 0x575D6D, 0x707173,
                                      0x8A8678, 0xA59C74, 0xC3B369, 0xE1CC55, 0xFEE838};
constexpr std::array<int, 7> blueOrange{0x08407A, 0x2F7FBF, 0x9CC6E6, 0xF5F5F5, 0xF2C08A, 0xD07A1E, 0x8A4300};
/// OKLCH with chroma 0.1 and lightness 0.8 or 0.5, hues three eighths of a turn apart.
constexpr std::array<int, 16> categories{0xFAA39C, 0x17754E, 0xC2B0FB, 0x895709, 0x5ED1DE, 0x8A4976,
                                         0xBBC675, 0x2E669C, 0x934E29, 0x65D4C3, 0x7B4F8B, 0xD6BC6B,
                                         0x006E91, 0xF7A1B8, 0x457131, 0xA6BAFF};

Rgb rgb(int packed)
{
    return {double(packed >> 16), double(packed >> 8 & 255), double(packed & 255)};
}

Rgb between(std::span<const int> stops, double fraction)
{
    const double position = std::clamp(fraction, 0.0, 1.0) * double(stops.size() - 1);
    const auto below = std::min(size_t(position), stops.size() - 2);
    const double part = position - double(below);
    const Rgb a = rgb(stops[below]), b = rgb(stops[below + 1]);
    return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green),
            a.blue + part * (b.blue - a.blue)};
}

double linear(double channel)
{
    const double fraction = channel / 255;
    return fraction <= 0.04045 ? fraction / 12.92 : std::pow((fraction + 0.055) / 1.055, 2.4);
}

}

std::string hexColour(int colour)
{
    return fmt::format("#{:06X}", colour);
}

int Rgb::packed() const
{
    return int(std::lround(red) << 16 | std::lround(green) << 8 | std::lround(blue));
}

int Rgb::textColour() const
{
    const double luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? 0xFFFFFF : 0;
}

Rgb magnitudeColour(double fraction)
{
    return between(cividis, fraction);
}

Rgb differenceColour(double fraction)
{
    return between(blueOrange, (fraction + 1) / 2);
}

Rgb categoryColour(double number)
{
    return rgb(categories[size_t(std::max(std::lround(number), 0L)) % categories.size()]);
}

}

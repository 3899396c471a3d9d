#pragma once

#include "core/figure/marks.h"

#include <array>
#include <string>

/// The colours of exported figures, light and dark: those of the window's theme.
namespace attnscope {

/// 0xRRGGBB in the light and the dark theme; below 0: none.
struct ColourPair {
    int light = -1, dark = -1;
};

/// By hue: its colour, and a second shade for further attentions of one backend.
constexpr ColourPair hueColours[][2] = {
    {{0x1A1D24, 0xE8EAEE}, {0x76777C, 0x8F9195}}, {{0xC85500, 0xF0803C}, {0x7F3D0F, 0xF8C09E}},
    {{0xB07900, 0xE69F00}, {0x71520F, 0xF2CF80}}, {{0xB3598C, 0xDB8FBB}, {0x734060, 0xEDC7DD}},
    {{0x0068A6, 0x4DA8EE}, {0x0B486F, 0xA6D4F6}}, {{0x00865F, 0x16B88A}, {0x0B5A46, 0x8ADCC4}},
    {{0x1F86BE, 0x8CCFF4}, {0x1D5A7D, 0xC6E7FA}}, {{0x857A00, 0xE6DC5A}, {0x58530F, 0xF2EEAC}}};

inline ColourPair colourOf(const SeriesStyle& style)
{
    return hueColours[size_t(style.hue)][style.shaded() ? 1 : 0];
}

namespace paper {
constexpr ColourPair window{0xF4F5F7, 0x15171B}, surface{0xFFFFFF, 0x1C1F25}, sunken{0xEAECF0, 0x111317};
constexpr ColourPair text{0x1A1D24, 0xE8EAEE}, text2{0x4A5160, 0xB0B7C3}, text3{0x606877, 0x949CAA};
constexpr ColourPair line{0xDDE1E7, 0x2F343D}, control{0x7F8795, 0x737B8A}, focus{0x5B5BD6, 0x8E90FF};
}

/// "#1A1D24".
std::string hexColour(int colour);

struct Rgb {
    double red = 0, green = 0, blue = 0;  ///< 0 … 255
    int packed() const;                   ///< 0xRRGGBB
    /// Black or white, whichever contrasts more (WCAG 2 luminance); 0xRRGGBB.
    int textColour() const;
};

/// Magnitude 0 … 1 in cividis; the same in both themes. Values outside are clamped.
Rgb magnitudeColour(double fraction);
/// Difference −1 … 1 from blue over white to orange.
Rgb differenceColour(double fraction);
/// Class 0, 1, …: sixteen colours, then the same again. Numbers next to each other differ in hue and lightness; the same in both themes.
Rgb categoryColour(double number);

}

#include "core/data/augment/image_operations.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <vector>

namespace attnscope {

namespace {

using Table = std::array<uint8_t, 256>;
using Histogram = std::array<int64_t, 256>;

/// Maps each channel by the table that `tableOf` makes of its histogram.
void mapChannels(ImageView image, Table (*tableOf)(const Histogram&))
{
    std::array<Histogram, 3> counts{};
    for (int64_t i = 0; i < image.bytes(); i += 3)
        for (int64_t c = 0; c < 3; ++c)
            ++counts[size_t(c)][image.pixels[i + c]];
    const std::array<Table, 3> tables{tableOf(counts[0]), tableOf(counts[1]), tableOf(counts[2])};
    for (int64_t i = 0; i < image.bytes(); i += 3)
        for (int64_t c = 0; c < 3; ++c)
            image.pixels[i + c] = tables[size_t(c)][image.pixels[i + c]];
}

template <typename Function>
void mapValues(ImageView image, Function function)
{
    Table table;
    for (int value = 0; value < 256; ++value)
        table[size_t(value)] = uint8_t(function(value));
    for (int64_t i = 0; i < image.bytes(); ++i)
        image.pixels[i] = table[image.pixels[i]];
}

Table identity()
{
    Table table;
    std::iota(table.begin(), table.end(), uint8_t{0});
    return table;
}

Table stretching(const Histogram& counts)
{
    const auto isUsed = [](int64_t count) { return count > 0; };
    const auto low = std::ranges::find_if(counts, isUsed) - counts.begin();
    const auto high = counts.rend() - std::ranges::find_if(std::views::reverse(counts), isUsed) - 1;
    Table table = identity();
    if (high <= low)
        return table;
    const double scale = 255.0 / double(high - low), offset = -double(low) * scale;
    for (size_t i = 0; i < table.size(); ++i)
        table[i] = uint8_t(std::clamp(int(double(i) * scale + offset), 0, 255));
    return table;
}

Table flattening(const Histogram& counts)
{
    int64_t total = 0, last = 0;
    for (const int64_t count : counts) {
        total += count;
        last = count > 0 ? count : last;
    }
    const int64_t step = (total - last) / 255;
    Table table = identity();
    if (step == 0)
        return table;
    int64_t sum = step / 2;
    for (size_t i = 0; i < table.size(); ++i) {
        table[i] = uint8_t(std::min<int64_t>(sum / step, 255));
        sum += counts[i];
    }
    return table;
}

/// ITU-R 601 in fixed point, as in Pillow.
int grey(const uint8_t* pixel)
{
    return int((pixel[0] * 19595u + pixel[1] * 38470u + pixel[2] * 7471u + 0x8000u) >> 16);
}

/// from + factor · (to − from), clipped and truncated.
uint8_t blended(int from, int to, float factor)
{
    const float value = float(from) + factor * float(to - from);
    return uint8_t(std::clamp(value, 0.0f, 255.0f));
}

/// Smooths with the kernel of ones and a centre of 5, divided by 13.
void smoothRow(const uint8_t* above, int64_t rowBytes, uint8_t* out)
{
    const uint8_t* here = above + rowBytes;
    const uint8_t* below = here + rowBytes;
    for (int64_t i = 3; i < rowBytes - 3; ++i) {
        const unsigned sum = above[i - 3] + above[i] + above[i + 3] + here[i - 3] + 5u * here[i] + here[i + 3]
                             + below[i - 3] + below[i] + below[i + 3];
        out[i] = uint8_t((2 * sum + 13) / 26);  // rounded; 13 is odd, so there are no ties
    }
}

}

void autoContrast(ImageView image)
{
    mapChannels(image, stretching);
}

void equalise(ImageView image)
{
    mapChannels(image, flattening);
}

void invert(ImageView image)
{
    mapValues(image, [](int value) { return 255 - value; });
}

void posterise(ImageView image, int bits)
{
    const int mask = 0xff & ~((1 << (8 - bits)) - 1);
    mapValues(image, [&](int value) { return value & mask; });
}

void solarise(ImageView image, int threshold)
{
    mapValues(image, [&](int value) { return value < threshold ? value : 255 - value; });
}

void solariseAdd(ImageView image, int amount)
{
    mapValues(image, [&](int value) { return value < 128 ? std::min(value + amount, 255) : value; });
}

void changeColour(ImageView image, double factor)
{
    const auto weight = float(factor);
    for (int64_t i = 0; i < image.bytes(); i += 3) {
        uint8_t* pixel = image.pixels + i;
        const int from = grey(pixel);
        for (int c = 0; c < 3; ++c)
            pixel[c] = blended(from, pixel[c], weight);
    }
}

void changeContrast(ImageView image, double factor)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < image.bytes(); i += 3)
        sum += grey(image.pixels + i);
    const int mean = int(double(sum) / double(image.count()) + 0.5);
    mapValues(image, [&](int value) { return blended(mean, value, float(factor)); });
}

void changeBrightness(ImageView image, double factor)
{
    mapValues(image, [&](int value) { return blended(0, value, float(factor)); });
}

void changeSharpness(ImageView image, double factor)
{
    const int64_t rowBytes = image.width * 3;
    const auto weight = float(factor);
    if (image.width < 3 || image.height < 3)
        return;
    const std::vector<uint8_t> original(image.pixels, image.pixels + image.bytes());
    std::vector<uint8_t> smooth(static_cast<size_t>(rowBytes));
    for (int64_t y = 1; y + 1 < image.height; ++y) {
        smoothRow(original.data() + (y - 1) * rowBytes, rowBytes, smooth.data());
        uint8_t* row = image.pixels + y * rowBytes;
        for (int64_t i = 3; i < rowBytes - 3; ++i)
            row[i] = blended(smooth[size_t(i)], row[i], weight);
    }
}

}

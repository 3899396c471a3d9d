// SPDX-License-Identifier: Apache-2.0
#include "core/preprocess/normalise.h"

namespace attnscope {

namespace {

/// Of all 256 values.
std::array<float, 256> normalisedValues(float mean, float deviation)
{
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (static_cast<float>(i) / 255.0f - mean) / deviation;
    return values;
}

}  // namespace

FloatArray normalised(const Clip& clip, const Transform& transform)
{
    FloatArray result;
    result.shape = {3, clip.height, clip.width};
    if (clip.frames > 1)
        result.shape.insert(result.shape.begin() + 1, clip.frames);
    result.values.resize(clip.pixels.size());
    std::array<std::array<float, 256>, 3> table{};
    for (std::size_t c = 0; c < 3; ++c)
        table[c] = normalisedValues(transform.mean[c], transform.deviation[c]);
    const std::int64_t pixels = clip.frames * clip.height * clip.width;
    float* red = result.values.data();
    float* green = red + pixels;
    float* blue = green + pixels;
    for (std::int64_t i = 0; i < pixels; ++i) {
        const std::uint8_t* pixel = clip.pixels.data() + i * 3;
        red[i] = table[0][pixel[0]];
        green[i] = table[1][pixel[1]];
        blue[i] = table[2][pixel[2]];
    }
    return result;
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "core/data/preprocess/normalise.h"

namespace attnscope {

namespace {

/// For all 256 values.
std::array<float, 256> normalisedValues(float mean, float stddev)
{
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (static_cast<float>(i) / 255.0f - mean) / stddev;
    return values;
}

/// `pixels` of (T,H,W,3) → out (3,T,H,W).
void normaliseInto(const std::uint8_t* rgb, std::int64_t pixels, const Transform& transform, float* out)
{
    std::array<std::array<float, 256>, 3> table{};
    for (std::size_t c = 0; c < 3; ++c)
        table[c] = normalisedValues(transform.mean[c], transform.stddev[c]);
    float* const green = out + pixels;
    float* const blue = green + pixels;
    for (std::int64_t i = 0; i < pixels; ++i, rgb += 3) {
        out[i] = table[0][rgb[0]];
        green[i] = table[1][rgb[1]];
        blue[i] = table[2][rgb[2]];
    }
}

}  // namespace

FloatArray normalised(const Clip& clip, const Transform& transform)
{
    FloatArray result;
    result.shape = {3, clip.height, clip.width};
    if (clip.frames > 1)
        result.shape.insert(result.shape.begin() + 1, clip.frames);
    result.values.resize(clip.pixels.size());
    normaliseInto(clip.pixels.data(), clip.frames * clip.height * clip.width, transform, result.values.data());
    return result;
}

}  // namespace attnscope

#include "core/data/preprocess/normalise.h"

namespace attnscope {

std::vector<float> normalisedValues(const Transform& transform)
{
    std::vector<float> values;
    for (size_t c = 0; c < 3; ++c)
        for (int value = 0; value < 256; ++value)
            values.push_back((float(value) / 255.0f - transform.mean[c]) / transform.stddev[c]);
    return values;
}

FloatArray normalised(const Clip& clip, const Transform& transform)
{
    FloatArray result;
    result.shape = {3, clip.height, clip.width};
    if (clip.frames > 1)
        result.shape.insert(result.shape.begin() + 1, clip.frames);
    result.values.resize(clip.pixels.size());
    const std::vector<float> table = normalisedValues(transform);
    const float* const values = table.data();
    const int64_t pixels = clip.frames * clip.height * clip.width;
    const uint8_t* rgb = clip.pixels.data();
    float* const red = result.values.data();
    float* const green = red + pixels;
    float* const blue = green + pixels;
    for (int64_t i = 0; i < pixels; ++i, rgb += 3) {
        red[i] = values[rgb[0]];
        green[i] = values[256 + rgb[1]];
        blue[i] = values[512 + rgb[2]];
    }
    return result;
}

}

#include "core/data/preprocess/sample_identity.h"

#include "core/base/fast_checksum.h"

#include <algorithm>
#include <optional>

namespace attnscope {

namespace {

/// For one channel, every third byte from `out` on; false if a value is not that of a pixel.
bool takePixels(const float* values, size_t count, float mean, float stddev, uint8_t* out)
{
    // Rounding of float32 and of float16 stays far below a quarter of a step; numbers that are not pixels soon exceed it.
    constexpr float near = 0.25f;
    const float factor = stddev * 255.0f, offset = mean * 255.0f;
    bool pixels = true;
    for (size_t i = 0; i < count; ++i) {
        const float value = values[i] * factor + offset;
        const float bounded = value > -near && value < 255 + near
                                  ? value
                                  : 0.5f;  // excludes NaN, and stays within the range of int
        const int whole = int(bounded + 0.5f);
        const float rest = bounded - float(whole);
        pixels = pixels & (rest < near) & (rest > -near);
        out[3 * i] = uint8_t(whole);
    }
    return pixels;
}

/// values (3,…) → pixels (…,3).
std::optional<std::vector<uint8_t>> pixelsOf(const float* values, size_t count, const Transform& transform)
{
    if (count % 3 != 0)
        return std::nullopt;
    std::vector<uint8_t> pixels(count);
    for (size_t channel = 0; channel < 3; ++channel)
        if (!takePixels(values + channel * (count / 3), count / 3, transform.mean[channel],
                        transform.stddev[channel], pixels.data() + channel))
            return std::nullopt;
    return pixels;
}

uint64_t identityOfValues(const float* values, size_t count, const Transform& transform)
{
    if (const auto pixels = pixelsOf(values, count, transform))
        return sampleIdentity(pixels->data(), pixels->size());
    return fastChecksum({reinterpret_cast<const uint8_t*>(values), count * sizeof(float)});
}

/// `identity(first, count)` of every sample of an array.
template <typename T, typename Identity>
std::vector<uint64_t> ofEach(const DenseArray<T>& batch, const Identity& identity)
{
    std::vector<uint64_t> identities;
    const auto count = size_t(batch.shape.front());
    const size_t each = batch.values.size() / std::max<size_t>(count, 1);
    for (size_t i = 0; i < count; ++i)
        identities.push_back(identity(batch.values.data() + each * i, each));
    return identities;
}

}

uint64_t sampleIdentity(const uint8_t* pixels, size_t count)
{
    return fastChecksum({pixels, count});
}

uint64_t sampleIdentity(const FloatArray& values, const Transform& transform)
{
    return identityOfValues(values.values.data(), values.values.size(), transform);
}

std::vector<uint64_t> sampleIdentities(const ByteArray& pixels)
{
    return ofEach(pixels, [](const uint8_t* first, size_t count) { return sampleIdentity(first, count); });
}

std::vector<uint64_t> sampleIdentities(const FloatArray& values, const Transform& transform)
{
    return ofEach(values,
                  [&](const float* first, size_t count) { return identityOfValues(first, count, transform); });
}

}

#pragma once

#include "core/store/store_records.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

/// What no query needs: a prediction's second to fifth class, their probabilities, the true class's and the sum of the squares of all, in 40
/// bytes, or in 36 without that sum; the samples of a batch, in 8 bytes each.
namespace attnscope {

static_assert(std::endian::native == std::endian::little, "a store's blobs are little-endian");

struct PredictionRest {
    std::array<int32_t, SamplePrediction::kept - 1> classes{};
    std::array<float, SamplePrediction::kept - 1> probabilities{};
    float labelProbability = 0;
    float squaredProbabilities = 0;
};
static_assert(sizeof(PredictionRest) == 40);
constexpr size_t restBytesWithoutSquares = 36;

inline std::string packRest(const SamplePrediction& prediction)
{
    PredictionRest rest;
    std::copy(prediction.classes.begin() + 1, prediction.classes.end(), rest.classes.begin());
    std::copy(prediction.probabilities.begin() + 1, prediction.probabilities.end(), rest.probabilities.begin());
    rest.labelProbability = prediction.labelProbability;
    rest.squaredProbabilities = prediction.squaredProbabilities;
    std::string bytes(std::isnan(rest.squaredProbabilities) ? restBytesWithoutSquares : sizeof rest, '\0');
    std::memcpy(bytes.data(), &rest, bytes.size());
    return bytes;
}

/// False if the bytes are not a valid prediction.
[[nodiscard]] inline bool unpackRest(const void* bytes, size_t size, SamplePrediction& prediction)
{
    PredictionRest rest;
    if (size != sizeof rest && size != restBytesWithoutSquares)
        return false;
    std::memcpy(&rest, bytes, size);
    if (size == sizeof rest && std::isnan(rest.squaredProbabilities))
        return false;  // packRest() leaves out a sum that is not known
    std::ranges::copy(rest.classes, prediction.classes.begin() + 1);
    std::ranges::copy(rest.probabilities, prediction.probabilities.begin() + 1);
    prediction.labelProbability = rest.labelProbability;
    if (size == sizeof rest)
        prediction.squaredProbabilities = rest.squaredProbabilities;
    return true;
}

/// Of every class, 4 bytes each.
inline std::string packLogits(const std::vector<float>& logits)
{
    return {reinterpret_cast<const char*>(logits.data()), logits.size() * sizeof(float)};
}

inline std::string packSamples(const std::vector<int64_t>& samples)
{
    return {reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(int64_t)};
}

/// Empty if the bytes are not a valid list of samples.
inline std::optional<std::vector<int64_t>> unpackSamples(const void* bytes, size_t size)
{
    if (size % sizeof(int64_t) != 0)
        return std::nullopt;
    std::vector<int64_t> samples(size / sizeof(int64_t));
    if (size > 0)  // memcpy takes no null
        std::memcpy(samples.data(), bytes, size);
    return samples;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/run/classifier.h"

#include "core/data/preprocess/sample_identity.h"

namespace attnscope {

NetworkInput networkInput(const FloatArray& array, const Classifier& classifier)
{
    classifier.checkInput(array.shape);
    std::vector<std::int64_t> shape{1};
    shape.insert(shape.end(), array.shape.begin(), array.shape.end());
    auto* values = const_cast<float*>(array.values.data());  // from_blob takes no const; the copy below does not write
    return {at::from_blob(values, shape, at::kFloat).clone().to(classifier.device(), classifier.dtype()),
            {sampleIdentity(array, classifier.transform())}};
}

void PreparedAttention::drawFor(std::vector<std::uint64_t> whose)
{
    samples = std::move(whose);
    for (const auto& source : noise)
        source->setSamples(samples);
}

PreparedAttention PreparedAttention::reseeded(std::uint64_t offset) const
{
    PreparedAttention other = *this;
    other.seed = seed + offset;
    for (std::size_t layer = 0; layer < noise.size(); ++layer)
        other.noise[layer] = std::make_shared<SeededNoise>(layers[layer]->spec().seedOr(seed) + offset, static_cast<std::int64_t>(layer), samples);
    return other;
}

std::vector<PreparedAttention> PreparedAttention::overSeeds(std::int64_t count) const
{
    std::vector<PreparedAttention> seeds;
    for (std::int64_t offset = 0; offset < (deterministic ? 1 : count); ++offset)
        seeds.push_back(reseeded(static_cast<std::uint64_t>(offset)));
    return seeds;
}

}  // namespace attnscope

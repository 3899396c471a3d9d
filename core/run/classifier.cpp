#include "core/run/classifier.h"

#include "core/base/error.h"
#include "core/data/preprocess/normalise.h"
#include "core/data/preprocess/sample_identity.h"

namespace attnscope {

namespace {

[[noreturn]] void refuseReading(const Classifier& classifier)
{
    throw Unsupported(classifier.describe().name, "its head does not read the tokens of a block",
                      "choose a model of another family");
}

}

Readout Classifier::readOut(const at::Tensor&) const
{
    refuseReading(*this);
}

at::Tensor Classifier::exitLogits(size_t, const at::Tensor& tokens) const
{
    return readOut(tokens).logits;
}

ExitCost Classifier::exitCost(const PreparedAttention&) const
{
    refuseReading(*this);
}

std::optional<OutputTokens> Classifier::outputTokens(const std::vector<int64_t>&) const
{
    return {};
}

at::Tensor onDevice(const at::Tensor& input, at::Device device)
{
    return device.is_cuda() ? input.pin_memory().to(device, true) : input;
}

NetworkInput networkView(const FloatArray& array, const Classifier& classifier)
{
    auto* values = const_cast<float*>(array.values.data());  // from_blob takes no const; nobody writes
    const auto view = at::from_blob(values, array.shape, at::kFloat).unsqueeze(0);
    return {onDevice(view, classifier.device()).to(classifier.device(), classifier.dtype()),
            {sampleIdentity(array, classifier.transform())}};
}

NetworkInput networkInput(const FloatArray& array, const Classifier& classifier)
{
    classifier.checkInput(array.shape);
    NetworkInput input = networkView(array, classifier);
    input.values = input.values.clone();
    return input;
}

NetworkInput networkInput(const Clip& clip, const Classifier& classifier)
{
    Clip crop = resizeAndCrop(clip, classifier.transform());
    if (crop.frames != 1 || !classifier.takesPixels())
        return networkInput(normalised(crop, classifier.transform()), classifier);
    return {at::from_blob(crop.pixels.data(), {1, crop.height, crop.width, 3}, at::kByte)
                .clone()
                .to(classifier.device()),
            {sampleIdentity(crop.pixels.data(), crop.pixels.size())}};
}

at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform)
{
    const auto perChannel = [&](const std::array<float, 3>& values) {
        return at::tensor(at::ArrayRef<float>(values.data(), values.size()), pixels.options().dtype(at::kFloat))
            .view({3, 1, 1});
    };
    const auto planes = pixels.permute({0, 3, 1, 2}).to(at::kFloat, false, false, at::MemoryFormat::Contiguous);
    return planes.div_(255).sub_(perChannel(transform.mean)).div_(perChannel(transform.stddev));
}

void PreparedAttention::drawFor(std::vector<uint64_t> whose)
{
    samples = std::move(whose);
    for (const auto& source : noise)
        source->setSamples(samples);
}

PreparedAttention PreparedAttention::reseeded(uint64_t offset) const
{
    PreparedAttention other = *this;
    other.seed = seed + offset;
    for (size_t layer = 0; layer < noise.size(); ++layer)
        other.noise[layer] = std::make_shared<SeededNoise>(layers[layer]->spec().seedOr(seed) + offset,
                                                           int64_t(layer), samples);
    return other;
}

std::vector<PreparedAttention> PreparedAttention::overSeeds(int64_t count) const
{
    std::vector<PreparedAttention> seeds;
    for (int64_t offset = 0; offset < (deterministic ? 1 : count); ++offset)
        seeds.push_back(reseeded(uint64_t(offset)));
    return seeds;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/attention/noise.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/random.h"

#include <numbers>

namespace attnscope {

namespace {

at::Tensor uniformToNormal(const at::Tensor& first, const at::Tensor& second)
{
    // Box and Muller: two uniforms make one normal; the sine's half is not used, so that number i depends on stream i alone.
    return (first.log() * -2).sqrt_().mul_((second * (2 * std::numbers::pi)).cos_());
}

}  // namespace

SeededNoise::SeededNoise(std::uint64_t seed, std::int64_t layer, std::vector<std::uint64_t> samples)
    : m_seed(seed)
    , m_layer(static_cast<std::uint32_t>(layer))
    , m_samples(std::move(samples))
{
}

at::Tensor SeededNoise::fill(std::string_view name, at::IntArrayRef sizes, bool perSample) const
{
    at::Tensor result = at::empty(sizes, at::kFloat);
    const std::int64_t batch = perSample ? sizes[0] : 1;
    const auto each = static_cast<std::size_t>(result.numel() / std::max<std::int64_t>(batch, 1));
    for (std::int64_t b = 0; b < batch; ++b) {
        const auto element = static_cast<std::size_t>(b);
        const std::uint64_t sample = !perSample ? 0 : element < m_samples.size() ? m_samples[element] : element;
        fillUniform({m_seed, m_layer, sample, streamPurpose(name)}, 0, {result.data_ptr<float>() + element * each, each});
    }
    return result;
}

at::Tensor SeededNoise::sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    const std::string key = std::string(name) + describeShape(sizes) + c10::toString(options.dtype().toScalarType())
                            + options.device().str();
    auto& drawn = m_shared[key];
    if (!drawn.defined()) {
        const std::string second = std::string(name) + ".angle";
        drawn = uniformToNormal(fill(name, sizes, false), fill(second, sizes, false)).to(options);
    }
    return drawn;
}

at::Tensor SeededNoise::normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    const std::string second = std::string(name) + ".angle";
    return uniformToNormal(fill(name, sizes, true), fill(second, sizes, true)).to(options);
}

at::Tensor SeededNoise::uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return fill(name, sizes, true).to(options);
}

RecordedNoise::RecordedNoise(std::map<std::string, at::Tensor> tensors, NoiseSource& fallback)
    : m_tensors(std::move(tensors))
    , m_fallback(fallback)
{
}

bool RecordedNoise::holds(std::string_view name) const
{
    return m_tensors.count(std::string(name)) > 0;
}

at::Tensor RecordedNoise::recorded(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) const
{
    const at::Tensor tensor = m_tensors.at(std::string(name)).to(options);
    if (!at::is_expandable_to(tensor.sizes(), sizes))
        throw UsageError("", "the recorded noise `" + std::string(name) + "` has shape " + describeShape(tensor.sizes())
                                 + ", but " + describeShape(sizes) + " is needed",
                         "check samples and the shapes of q and k");
    return tensor.expand(sizes);
}

at::Tensor RecordedNoise::sharedNormal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : m_fallback.sharedNormal(name, sizes, options);
}

at::Tensor RecordedNoise::normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : m_fallback.normal(name, sizes, options);
}

at::Tensor RecordedNoise::uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : m_fallback.uniform(name, sizes, options);
}

}  // namespace attnscope

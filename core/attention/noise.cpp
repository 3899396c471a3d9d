#include "core/attention/noise.h"

#include "core/attention/numerics/kept_copies.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

void fillNormal(const NoiseStream& stream, int64_t element, uint64_t first, std::span<float> out)
{
    // Box–Muller: two uniforms make one normal; the sine is not used, so that number i depends on stream i only.
    constexpr size_t some = 256;
    std::array<float, some> length, angle;
    const uint64_t sample = stream.samples.at(size_t(element));
    for (size_t at = 0; at < out.size(); at += some) {
        const size_t count = std::min(some, out.size() - at);
        fillUniform(stream.key, sample, first + at, {length.data(), count});
        fillUniform(stream.angleKey, sample, first + at, {angle.data(), count});
        kernels::cpuKernels().normal(length.data(), angle.data(), out.data() + at, int64_t(count));
    }
}

SeededNoise::SeededNoise(uint64_t seed, int64_t layer, std::vector<uint64_t> samples)
    : m_seed(seed)
    , m_layer(uint32_t(layer))
    , m_samples(std::move(samples))
{}

StreamKey SeededNoise::streamOf(std::string_view name) const
{
    return {m_seed, m_layer, 0, streamPurpose(name)};
}

std::optional<NoiseStream> SeededNoise::stream(std::string_view name, int64_t elements)
{
    NoiseStream stream{foldedKey(streamOf(name)), foldedKey(streamOf(std::string(name) + ".angle")), {}};
    for (size_t element = 0; element < size_t(elements); ++element)
        stream.samples.push_back(element < m_samples.size() ? m_samples[element] : element);
    return stream;
}

at::Tensor SeededNoise::sharedNormal(std::string_view name, at::IntArrayRef sizes,
                                     const at::TensorOptions& options)
{
    const std::string key = std::string(name) + describeShape(sizes)
                            + c10::toString(options.dtype().toScalarType()) + options.device().str();
    auto& drawn = m_shared[key];
    if (!drawn.defined()) {
        const auto numbers = at::empty(sizes, at::kFloat);
        NoiseStream shared = *stream(name, 0);
        shared.samples = {0};
        fillNormal(shared, 0, 0, {numbers.mutable_data_ptr<float>(), size_t(numbers.numel())});
        drawn = copiedTo(numbers, options);
    }
    return drawn;
}

at::Tensor SeededNoise::normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    const auto numbers = at::empty(sizes, at::kFloat);
    const auto each = size_t(numbers.numel() / std::max<int64_t>(sizes[0], 1));
    const NoiseStream drawn = *stream(name, sizes[0]);
    for (size_t element = 0; element < drawn.samples.size(); ++element)
        fillNormal(drawn, static_cast<int64_t>(element), 0,
                   {numbers.mutable_data_ptr<float>() + element * each, each});
    return copiedTo(numbers, options);
}

at::Tensor SeededNoise::uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    const auto numbers = at::empty(sizes, at::kFloat);
    const auto each = size_t(numbers.numel() / std::max<int64_t>(sizes[0], 1));
    const NoiseStream drawn = *stream(name, sizes[0]);
    for (size_t element = 0; element < drawn.samples.size(); ++element)
        fillUniform(drawn.key, drawn.samples[element], 0,
                    {numbers.mutable_data_ptr<float>() + element * each, each});
    return copiedTo(numbers, options);
}

RecordedNoise::RecordedNoise(std::map<std::string, at::Tensor> tensors, NoiseSource& fallback)
    : m_tensors(std::move(tensors))
    , m_fallback(fallback)
{}

bool RecordedNoise::holds(std::string_view name) const
{
    return m_tensors.count(std::string(name)) > 0;
}

at::Tensor RecordedNoise::given(std::string_view name) const
{
    const auto found = m_tensors.find(std::string(name));
    return found == m_tensors.end() ? m_fallback.given(name) : found->second;
}

NoiseSource& RecordedNoise::fallback()
{
    m_drawn = true;
    return m_fallback;
}

std::optional<NoiseStream> RecordedNoise::stream(std::string_view name, int64_t elements)
{
    return holds(name) ? std::nullopt : fallback().stream(name, elements);
}

at::Tensor RecordedNoise::recorded(std::string_view name, at::IntArrayRef sizes,
                                   const at::TensorOptions& options) const
{
    const at::Tensor tensor = m_tensors.at(std::string(name)).to(options);
    if (!at::is_expandable_to(tensor.sizes(), sizes))
        throw UsageError("",
                         "the recorded noise `" + std::string(name) + "` has shape "
                             + describeShape(tensor.sizes()) + ", but " + describeShape(sizes) + " is needed",
                         "check samples and the shapes of q and k");
    return tensor.expand(sizes);
}

at::Tensor RecordedNoise::sharedNormal(std::string_view name, at::IntArrayRef sizes,
                                       const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : fallback().sharedNormal(name, sizes, options);
}

at::Tensor RecordedNoise::normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : fallback().normal(name, sizes, options);
}

at::Tensor RecordedNoise::uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return holds(name) ? recorded(name, sizes, options) : fallback().uniform(name, sizes, options);
}

std::optional<double> noiseStddev(const AttentionSpec& spec, bool drawn, int64_t width)
{
    const std::string& noise = spec.choice("noise");
    if (noise == "none" || (noise == "auto" && !drawn))
        return std::nullopt;
    return noise == "library" ? std::pow(double(width), -0.25) : 1.0;
}

}

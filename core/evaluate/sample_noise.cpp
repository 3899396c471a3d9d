// SPDX-License-Identifier: Apache-2.0
#include "core/evaluate/sample_noise.h"

namespace attnscope {

SampleNoise::SampleNoise(std::uint64_t seed, std::int64_t layer)
    : m_seed(seed)
    , m_layer(layer)
    , m_shared(seed, layer)
    , m_own(seed, layer)
{}

void SampleNoise::setSamples(const std::vector<std::uint64_t>& samples)
{
    m_own = SeededNoise(m_seed, m_layer, samples);
}

at::Tensor SampleNoise::sharedNormal(std::string_view name, at::IntArrayRef sizes,
                                     const at::TensorOptions& options)
{
    return m_shared.sharedNormal(name, sizes, options);
}

at::Tensor SampleNoise::normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return m_own.normal(name, sizes, options);
}

at::Tensor SampleNoise::uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options)
{
    return m_own.uniform(name, sizes, options);
}

}  // namespace attnscope

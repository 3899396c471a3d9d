// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/noise.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace attnscope {

/// Seeded noise whose per-sample draws belong to samples of a data set, wherever in a batch they are; what a batch
/// shares is drawn once.
class SampleNoise : public NoiseSource {
public:
    SampleNoise(std::uint64_t seed, std::int64_t layer);

    /// The identities of the next batch's elements.
    void setSamples(const std::vector<std::uint64_t>& samples);

    at::Tensor sharedNormal(std::string_view name, at::IntArrayRef sizes,
                            const at::TensorOptions& options) override;
    at::Tensor normal(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;
    at::Tensor uniform(std::string_view name, at::IntArrayRef sizes, const at::TensorOptions& options) override;

private:
    std::uint64_t m_seed;
    std::int64_t m_layer;
    SeededNoise m_shared, m_own;
};

}  // namespace attnscope

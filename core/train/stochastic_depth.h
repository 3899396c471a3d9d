#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

/// Stochastic depth (Huang et al., ECCV 2016; DeiT's "drop path"): in training each sample skips a block's attention or MLP with a
/// probability that grows linearly from 0 in the first block to `rate` in the last; what is kept is divided by the probability of keeping
/// it. Random numbers depend only on (seed, step, sample, block).
class StochasticDepth {
public:
    enum class Branch { Attention, Mlp };

    /// `samples` are the identities of the batch's elements.
    StochasticDepth(double rate, int64_t blocks, uint64_t seed, uint64_t step, std::vector<uint64_t> samples);

    /// residual (B,…) → the same shape. Throws UsageError if B is not the number of samples.
    at::Tensor apply(const at::Tensor& residual, int64_t block, Branch branch) const;

private:
    double m_rate;
    int64_t m_blocks;
    uint64_t m_seed, m_step;
    std::vector<uint64_t> m_samples;
};

}

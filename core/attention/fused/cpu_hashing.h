#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

/// Buckets of locality-sensitive hashing, h(x) = argmax [xR; −xR], ties to the lowest (Kitaev et al., 2020), of tokens less their mean if
/// `centered`. Safe from several threads.
class HashOnCpu {
public:
    /// rotations (H,R,D,b/2)
    HashOnCpu(const at::Tensor& rotations, bool centered);

    /// The buckets of the tokens of one head, for each round: x (B,H,n,D), for which fitsCpuKernels holds.
    std::vector<std::vector<int32_t>> bucketsOf(const at::Tensor& x, int64_t element, int64_t head) const;

private:
    at::Tensor m_rotations;  // (H,R,b/2,D)
    bool m_centered;
};

}

#pragma once

#include <ATen/ATen.h>

namespace attnscope {

/// The row of `keys` with the largest product with each row of x, ties to the lowest: contiguous float32 x (P,n,D), keys (P,m,D) → int64 (P,n).
at::Tensor nearestKeysOnCpu(const at::Tensor& x, const at::Tensor& keys);

}

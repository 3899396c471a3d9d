#pragma once

#include <ATen/ATen.h>

namespace attnscope {

inline double largest(const at::Tensor& x)
{
    return x.abs().max().item<double>();
}

/// The largest difference of an element, in float64.
inline double difference(const at::Tensor& a, const at::Tensor& b)
{
    return largest(a.to(at::kDouble) - b.to(at::kDouble));
}

inline bool isFinite(const at::Tensor& x)
{
    return x.isfinite().all().item<bool>();
}

}

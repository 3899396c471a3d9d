#pragma once

#include "core/attention/numerics/fallbacks.h"

#include <ATen/ATen.h>

namespace attnscope {

struct SymmetricEigen {
    at::Tensor values;   ///< ascending, (B,H,D)
    at::Tensor vectors;  ///< columns, (B,H,D,D)
};

inline constexpr Fallback covarianceNotFinite{
    "a covariance was beyond the range of numbers, and single channels took the place of its directions"};

/// Of symmetric matrices (B,H,D,D). One that is not finite, which the solver refuses, counts as the unit matrix and its head as fallen: its
/// vectors are the channels, and the other heads are what they are.
SymmetricEigen symmetricEigen(const at::Tensor& matrices, FallenHeads& notFinite);

}

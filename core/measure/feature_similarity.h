#pragma once

#include "core/measure/measurements.h"

#include <ATen/ATen.h>

#include <vector>

/// How close features are to each other (docs/features.md).
namespace attnscope {

/// a·b / ‖a‖‖b‖ of each row: (…,C), (…,C) → (…), in float64 on the CPU. A row shorter than 1e-12 counts as that long, as in
/// torch.nn.functional.normalize. NaN for rows that are not finite.
at::Tensor cosines(const at::Tensor& a, const at::Tensor& b);

/// Mean and 5th percentile; NaN for no values, and if one is NaN.
CosineSummary summarise(const std::vector<double>& cosines);

/// The numbers of a tensor, row by row.
std::vector<double> doublesOf(const at::Tensor& values);

}

#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope::onednn {

/// The weight layout that oneDNN chooses for many rows is also good for few; the reverse is slow.
inline constexpr int64_t manyRows = 1024;

/// Whether oneDNN computes a linear layer of weight (out,in), for which both have kernels, so much faster than ours that it is the better
/// choice, for x of about `rows` rows: measured once for each shape (kernels::keepLinearTimings). false where nothing is to be measured, and where
/// oneDNN's results would be wrong (kernels::teamsAreWhole).
bool isFaster(const at::Tensor& weight, int64_t rows);

}

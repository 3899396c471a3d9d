// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/backend_info.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// y = softmax(s·q Lᵀ) · softmax(s·L kᵀ) v: the landmarks L are C of the queries, the most nearly orthogonal ones.
/// Patrick et al., Keeping Your Eye on the Ball, NeurIPS 2021. The first landmark is random ("first", (B,H): uniform numbers,
/// or indices where they are recorded), so that results depend on the seed. C·(N+M)·(D+Dv) multiply-adds a head and C·N·D for
/// the selection, which goes landmark by landmark. Groups of keys (frames of video) share landmarks and the first factor.
BackendInfo orthoformerInfo();

/// Indices (B,H,C) of C rows of x (B,H,N,D), in ascending order: `first` (B,H), then again and again the row whose largest
/// |cosine| to those chosen is least; the lowest index where several are. C ≤ N.
at::Tensor selectOrthogonal(const at::Tensor& x, const at::Tensor& first, std::int64_t count);

}  // namespace attnscope

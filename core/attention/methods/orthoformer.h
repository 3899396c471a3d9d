#pragma once

#include "core/attention/backend_info.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// y = softmax(s·q Lᵀ) · softmax(s·L kᵀ) v: the landmarks L are the C most nearly orthogonal queries.
/// Patrick et al., Keeping Your Eye on the Ball, NeurIPS 2021. The first landmark is random ("first", (B,H): uniform numbers, or indices if
/// recorded), so that results depend on the seed. C·(N+M)·(D+Dv) multiply-adds per head and C·N·D for the selection, which is sequential.
/// Groups of keys (video frames) share landmarks and the first factor.
BackendInfo orthoformerInfo();

/// Indices (B,H,C) of C rows of x (B,H,N,D), in ascending order: starts with `first` (B,H), then repeatedly adds the row whose largest
/// |cosine| to the selected ones is smallest; the lowest index on ties. C ≤ N.
at::Tensor selectOrthogonal(const at::Tensor& x, const at::Tensor& first, int64_t count);

}

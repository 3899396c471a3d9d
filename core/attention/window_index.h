// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/token_places.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Which tokens belong to each window of a tensor; −1 where a window reaches beyond the picture. Class tokens belong to none.
struct WindowIndex {
    at::Tensor queries;  ///< (W, n) tokens of q, each token once
    at::Tensor keys;     ///< (W, m) tokens of k, windows widened by the margin
};

/// Windows of side × side queries, or of side² in a line. Where keys lie on another grid than the queries, a window's keys are those
/// that lie where its queries do, in proportion. Where q has frames, each frame has windows of its own.
WindowIndex windowIndex(const TokenPlaces& queries, const TokenPlaces& keys, std::int64_t side,
                        std::int64_t margin, const at::TensorOptions& options);

/// Entry (n, m) for query n and key m of a window: the row of a table of offsets as the LARA authors' library orders it,
/// (Δi + m + w − 1)(2m + w) + Δj + m + w − 1, Δ = query − key. (w², (w + 2m)²); different offsets share rows, as there.
at::Tensor offsetIndex(std::int64_t side, std::int64_t margin, const at::TensorOptions& options);

/// x (B,H,N,D) → (B,H,W,n,D), zeros where the index is −1.
at::Tensor gatherWindows(const at::Tensor& x, const at::Tensor& index);

}  // namespace attnscope

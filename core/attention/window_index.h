// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/token_places.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Which tokens belong to each window of a tensor; −1 if a window reaches beyond the image. Class tokens belong to none.
struct WindowIndex {
    at::Tensor queries;  ///< (W, n) tokens of q, each token once
    at::Tensor keys;     ///< (W, m) tokens of k, windows widened by the margin
};

/// Windows of side × side queries, or of side² in a line. If the keys have another grid than the queries, a window's keys are those at its
/// queries' positions, in proportion. If q has frames, each frame has its own windows.
WindowIndex windowIndex(const TokenPlaces& queries, const TokenPlaces& keys, std::int64_t side,
                        std::int64_t margin, const at::TensorOptions& options);

/// Entry (n, m) for query n and key m of a window: the row in the table of offsets as ordered by the LARA authors' library, (Δi + m + w −
/// 1)(2m + w) + Δj + m + w − 1, Δ = query − key. (w², (w + 2m)²); different offsets share rows, as there.
at::Tensor offsetIndex(std::int64_t side, std::int64_t margin, const at::TensorOptions& options);

/// x (B,H,N,D) → (B,H,W,n,D), zeros if the index is −1.
at::Tensor gatherWindows(const at::Tensor& x, const at::Tensor& index);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

namespace attnscope {

/// How a position embedding for one grid is resized to another; published code disagrees.
enum class PositionRule {
    Deit,  ///< bicubic, a = −0.75, no antialiasing: the DeiT authors' code
    Timm,  ///< bicubic with antialiasing, a = −0.5: timm; also differs when enlarging
};

/// "deit" or "timm". Throws UsageError.
[[nodiscard]] PositionRule parsePositionRule(const std::string& name);

/// embedding (1, prefix + rows·columns, C) → (1, prefix + newRows·newColumns, C). The prefix rows are unchanged.
[[nodiscard]]
at::Tensor resizePositionEmbedding(const at::Tensor& embedding, std::int64_t prefix, std::int64_t rows, std::int64_t columns,
                                   std::int64_t newRows, std::int64_t newColumns, PositionRule rule);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

namespace attnscope {

/// How a position embedding made for one grid is brought to another; published code disagrees.
enum class PositionRule {
    Deit,  ///< bicubic, a = −0.75, no antialias: the DeiT authors' code
    Timm,  ///< bicubic with antialias, a = −0.5: timm; differs also when enlarging
};

/// "deit" or "timm". Throws UsageError.
PositionRule parsePositionRule(const std::string& name);

/// embedding (1, prefix + rows·columns, C) → (1, prefix + newRows·newColumns, C). The prefix rows stay as they are.
at::Tensor resizePositionEmbedding(const at::Tensor& embedding, std::int64_t prefix, std::int64_t rows, std::int64_t columns,
                                   std::int64_t newRows, std::int64_t newColumns, PositionRule rule);

}  // namespace attnscope

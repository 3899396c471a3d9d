#pragma once

#include "models/blocks/position_rule.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// embedding (1, prefix + rows·columns, C) → (1, prefix + newRows·newColumns, C), by any rule but Own. The prefix rows are unchanged.
at::Tensor resizePositionEmbedding(const at::Tensor& embedding, int64_t prefix, int64_t rows, int64_t columns,
                                   int64_t newRows, int64_t newColumns, PositionRule rule);

}

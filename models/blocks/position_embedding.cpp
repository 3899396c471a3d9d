// SPDX-License-Identifier: Apache-2.0
#include "models/blocks/position_embedding.h"

#include "core/base/error.h"

namespace attnscope {

PositionRule parsePositionRule(const std::string& name)
{
    if (name == "deit")
        return PositionRule::Deit;
    if (name == "timm")
        return PositionRule::Timm;
    throw UsageError("", "unknown position rule `" + name + "`", "the rules are deit and timm");
}

at::Tensor resizePositionEmbedding(const at::Tensor& embedding, std::int64_t prefix, std::int64_t rows, std::int64_t columns,
                                   std::int64_t newRows, std::int64_t newColumns, PositionRule rule)
{
    if (rows == newRows && columns == newColumns)
        return embedding;
    const auto wide = embedding.to(at::kFloat);
    const auto grid = wide.slice(1, prefix).reshape({1, rows, columns, -1}).permute({0, 3, 1, 2}).contiguous();  // (1,C,rows,columns)
    const auto resized = rule == PositionRule::Timm ? at::_upsample_bicubic2d_aa(grid, {newRows, newColumns}, false)
                                                    : at::upsample_bicubic2d(grid, {newRows, newColumns}, false);
    const auto tokens = resized.permute({0, 2, 3, 1}).reshape({1, newRows * newColumns, -1});
    return at::cat({wide.slice(1, 0, prefix), tokens}, 1).to(embedding.scalar_type());
}

}  // namespace attnscope

#include "models/blocks/position_embedding.h"

#include <stdexcept>

namespace attnscope {

namespace {

/// grid (1,C,rows,columns) → (1,C,newRows,newColumns)
at::Tensor resizedGrid(const at::Tensor& grid, int64_t newRows, int64_t newColumns, PositionRule rule)
{
    switch (rule) {
    case PositionRule::Deit:
        return at::upsample_bicubic2d(grid, {newRows, newColumns}, false);
    case PositionRule::Timm:
        return at::_upsample_bicubic2d_aa(grid, {newRows, newColumns}, false);
    case PositionRule::Dinov2: {
        const auto scale = [](int64_t to, int64_t from) { return (double(to) + 0.1) / double(from); };
        return at::upsample_bicubic2d(grid, {newRows, newColumns}, false, scale(newRows, grid.size(2)),
                                      scale(newColumns, grid.size(3)));
    }
    case PositionRule::Own:
        break;
    }
    throw std::logic_error("the position rule of a network is in its description");
}

}

at::Tensor resizePositionEmbedding(const at::Tensor& embedding, int64_t prefix, int64_t rows, int64_t columns,
                                   int64_t newRows, int64_t newColumns, PositionRule rule)
{
    if (rows == newRows && columns == newColumns)
        return embedding;
    const auto wide = embedding.scalar_type() == at::kDouble ? embedding : embedding.to(at::kFloat);
    const auto grid = wide.slice(1, prefix)
                          .reshape({1, rows, columns, -1})
                          .permute({0, 3, 1, 2})
                          .contiguous();  // (1,C,rows,columns)
    const auto tokens =
        resizedGrid(grid, newRows, newColumns, rule).permute({0, 2, 3, 1}).reshape({1, newRows * newColumns, -1});
    return at::cat({wide.slice(1, 0, prefix), tokens}, 1).to(embedding.scalar_type());
}

}

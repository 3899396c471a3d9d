#include "core/attention/methods/spatial_reduction.h"

#include "core/attention/common_options.h"
#include "core/attention/methods/softmax.h"

namespace attnscope {

namespace {

/// The convolution's kernels do not overlap, so that it is one matrix product with the cells as long rows; a general convolution takes
/// three times as long. image (B,rows,columns,C) → (B,M,R·R·C), positions row-major, then channels.
at::Tensor stridedCells(const at::Tensor& image, const TokenLayout& cells, int64_t ratio)
{
    const auto batch = image.size(0), width = image.size(3);
    const auto covered = image.slice(1, 0, cells.rows * ratio).slice(2, 0, cells.columns * ratio);
    return covered.reshape({batch, cells.rows, ratio, cells.columns, ratio, width})
        .permute({0, 1, 3, 2, 4, 5})
        .reshape({batch, cells.rows * cells.columns, ratio * ratio * width});
}

/// image (B,rows,columns,C) → (B,49,C). Channels-last memory is an image without a copy.
at::Tensor pooledCells(const at::Tensor& image)
{
    return at::adaptive_avg_pool2d(image.permute({0, 3, 1, 2}), {pooledSide, pooledSide})
        .permute({0, 2, 3, 1})
        .flatten(1, 2);
}

}

TokenLayout SpatialReduction::reduced(const TokenLayout& tokens) const
{
    return reducedGrid(tokens, ratio, pooled);
}

namespace {

/// The kernels of a convolution as rows that match cells with channels last: (C,C,R,R) → (C,R·R·C).
at::Tensor asRows(const at::Tensor& kernels)
{
    return kernels.permute({0, 2, 3, 1}).flatten(1);
}

}

void SpatialReduction::pack(const TokenLayout& tokens)
{
    packNorm(norm);
    if (!pooled && canPackNormed(convolution, norm))
        return packNormedConvolution(convolution, form());
    convolution.weight = asRows(convolution.weight);
    packLinear(convolution, reduced(tokens).count());
}

at::Tensor SpatialReduction::apply(const at::Tensor& x, const TokenLayout& tokens) const
{
    if (convolution.packedWeights.window.side > 0)
        return normedConvolution(x, tokens.rows, convolution, norm, normEps, form());
    const TokenLayout cells = reduced(tokens);
    const auto image = x.reshape({x.size(0), tokens.rows, tokens.columns, x.size(2)});  // (B,rows,columns,C)
    const auto rows = pooled ? pooledCells(image) : stridedCells(image, cells, ratio);
    const bool isConvolution = convolution.weight.defined() && convolution.weight.dim() == 4;
    const auto y = isConvolution ? at::linear(rows, asRows(convolution.weight), convolution.bias)
                                 : linear(rows, convolution);  // (B,M,C)
    const auto reducedTokens = normed(y, norm, normEps);
    return pooled ? at::gelu(reducedTokens) : reducedTokens;
}

BackendInfo sraInfo()
{
    return {
        .name = "sra",
        .title = "SRA",
        .help = "PVTv2's own attention: exact softmax over the keys of a downscaled image",
        .citation = "Wang et al., PVT v2: Improved Baselines with Pyramid Vision Transformer, CVMJ 2022",
        .complexity = "O(N·(N/R²)·D)",
        .needsReduction = true,
        .kind = AttentionKind::NeedsTraining,
        .tokenComplexity = {.time = 2, .memory = 1},
        .prefixSeesAll = true,
        .look = {Hue::Softmax, Mark::Ring, {2, 5}},
        .options = {flagOption("linear", "keys pooled to 7×7 (linear SRA, pvt_v2_b2_li) instead of cells of R×R")},
        .make = softmaxInfo().make};
}

}

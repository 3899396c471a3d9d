// SPDX-License-Identifier: Apache-2.0
#include "core/attention/spatial_reduction.h"

#include "core/attention/common_options.h"
#include "core/attention/softmax.h"
#include "core/base/error.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Keys and values come in reduced already, so that what is left is softmax.
class SpatialReductionAttention : public AttentionBackend {
public:
    explicit SpatialReductionAttention(const AttentionSpec& spec)
        : AttentionBackend(spec)
    {}

    double multiplyAdds(const AttentionShape& s) const override
    {
        return static_cast<double>(s.heads) * static_cast<double>(s.queries * s.keys)
               * static_cast<double>(s.width + s.valueWidth);
    }

    bool deterministic() const override { return true; }

protected:
    bool acceptsHalf() const override { return true; }

    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        return fusedSoftmaxAttention(in.q, in.k, in.v, in.scale);
    }
};

/// (B,rows·columns,C) as (B,C,rows,columns) without a copy: token-major memory is an image in channels-last order.
at::Tensor asImage(const at::Tensor& x, const TokenLayout& tokens)
{
    return x.reshape({x.size(0), tokens.rows, tokens.columns, x.size(2)}).permute({0, 3, 1, 2});
}

}  // namespace

KeySource keySource(const AttentionSpec& spec)
{
    if (spec.backend() == "sra")
        return KeySource::Reduced;
    const BackendInfo* info = findBackend(spec.backend());
    const bool hasChoice = info != nullptr
                           && std::any_of(info->options.begin(), info->options.end(),
                                          [](const OptionInfo& option) { return option.name == "keys"; });
    return hasChoice && spec.choice("keys") == "reduced" ? KeySource::Reduced : KeySource::All;
}

void refuseReducedKeys(const AttentionSpec& spec, const std::string& model)
{
    if (keySource(spec) == KeySource::Reduced)
        throw UsageError(
            spec.canonical(), model + " has no spatial reduction that could give reduced keys",
            "choose an attention over all keys, such as softmax, or a network with one, such as pvt_v2_b1");
}

TokenLayout reducedGrid(const TokenLayout& tokens, std::int64_t ratio, bool pooled)
{
    if (pooled)
        return {.prefix = 0,
                .frames = 1,
                .rows = SpatialReduction::pooledSide,
                .columns = SpatialReduction::pooledSide};
    return {.prefix = 0, .frames = 1, .rows = tokens.rows / ratio, .columns = tokens.columns / ratio};
}

TokenLayout SpatialReduction::reduced(const TokenLayout& tokens) const
{
    return reducedGrid(tokens, weight.size(2), pooled);
}

at::Tensor SpatialReduction::apply(const at::Tensor& x, const TokenLayout& tokens) const
{
    auto image = asImage(x, tokens);  // (B,C,rows,columns)
    if (pooled)
        image = at::adaptive_avg_pool2d(image, {pooledSide, pooledSide});
    const std::int64_t ratio = weight.size(2);
    image = at::conv2d(image, weight, bias, {ratio, ratio});
    const auto y = image.permute({0, 2, 3, 1}).flatten(1, 2);  // (B,M,C)
    const auto normed = at::layer_norm(y, {y.size(2)}, normWeight, normBias, normEps);
    return pooled ? at::gelu(normed) : normed;
}

BackendInfo sraInfo()
{
    return {
        .name = "sra",
        .title = "SRA",
        .help = "PVTv2's own: exact softmax over the keys of a smaller image",
        .citation = "Wang et al., PVT v2: Improved Baselines with Pyramid Vision Transformer, CVMJ 2022",
        .complexity = "O(N·(N/R²)·D)",
        .random = false,
        .needsReduction = true,
        .options = {flagOption("linear", "keys pooled to 7×7 (linear SRA, pvt_v2_b2_li) instead of cells of R×R")},
        .make = [](const AttentionSpec& spec, const BackendContext&) -> std::shared_ptr<AttentionBackend> {
            return std::make_shared<SpatialReductionAttention>(spec);
        }};
}

}  // namespace attnscope

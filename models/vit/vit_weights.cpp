// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_weights.h"

#include "core/attention/shapes.h"
#include "models/blocks/random_weights.h"

#include <cmath>
#include <optional>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;
void visitBlock(const WeightVisitor& visit, const VitDescription& d, const std::string& prefix, VitBlockWeights& block)
{
    visitLayer(visit, prefix + "norm1", {d.width}, block.norm1);
    visitLayer(visit, prefix + "attn.qkv", {3 * d.width, d.width}, block.qkv, d.qkvBias);
    visitLayer(visit, prefix + "attn.proj", {d.width, d.width}, block.projection);
    visitLayer(visit, prefix + "norm2", {d.width}, block.norm2);
    visitLayer(visit, prefix + "mlp.fc1", {d.hidden(), d.width}, block.fc1);
    visitLayer(visit, prefix + "mlp.fc2", {d.width, d.hidden()}, block.fc2);
    visitAttention(visit, prefix + "attn.", block.attention);
}

VitWeights makeWeights(const TensorMaker& make, const VitDescription& d)
{
    VitWeights w;
    w.blocks.resize(static_cast<std::size_t>(d.depth));
    visitWeights(w, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) { value = make(name, shape); });
    w.position = w.position.reshape({1, d.tokens(), d.width});  // in evit's files: (1, rows, columns, C)
    return w;
}

struct Grid {
    std::int64_t rows = 0, columns = 0;
};

/// The grid of a stored position embedding. For (1, tokens, C) only squares can be recognised.
std::optional<Grid> storedGrid(const VitDescription& d, const Shape& stored)
{
    if (stored.size() == 4 && d.family == VitFamily::Evit && stored[0] == 1 && stored[3] == d.width)
        return Grid{stored[1], stored[2]};
    if (stored.size() != 3 || d.family != VitFamily::Deit || stored[0] != 1 || stored[2] != d.width)
        return std::nullopt;
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(stored[1] - d.prefixTokens()))));
    return side > 0 && side * side + d.prefixTokens() == stored[1] ? std::optional(Grid{side, side}) : std::nullopt;
}

at::Tensor takePosition(const VitDescription& d, const Shape& shape, WeightLoader& loader, PositionRule rule)
{
    const Shape stored = loader.shape("pos_embed");
    const auto grid = storedGrid(d, stored);
    if (stored == shape || !grid || grid->rows < 1 || grid->columns < 1)
        return loader.take("pos_embed", shape);
    const auto position = loader.takeAny("pos_embed").reshape({1, d.prefixTokens() + grid->rows * grid->columns, d.width});
    loader.noteResized("pos_embed from " + describeShape({grid->rows, grid->columns}) + " to " + describeShape({d.rows(), d.columns()})
                       + (rule == PositionRule::Deit ? " (bicubic, as the DeiT authors do)" : " (bicubic with antialias, as timm does)"));
    return resizePositionEmbedding(position, d.prefixTokens(), grid->rows, grid->columns, d.rows(), d.columns(), rule).reshape(shape);
}

}  // namespace

ReadoutWeights readoutOf(const VitWeights& weights)
{
    ReadoutWeights readout{weights.norm, {weights.head}};
    if (weights.distillationHead.defined())
        readout.heads.push_back(weights.distillationHead);
    return readout;
}

void visitWeights(VitWeights& w, const VitDescription& d, const WeightVisitor& visit)
{
    const bool deit = d.family == VitFamily::Deit;
    if (deit)
        visit("cls_token", {1, 1, d.width}, w.classToken);
    if (d.distilled)
        visit("dist_token", {1, 1, d.width}, w.distillationToken);
    visit("pos_embed", deit ? Shape{1, d.tokens(), d.width} : Shape{1, d.rows(), d.columns(), d.width}, w.position);
    visitLayer(visit, "patch_embed.proj", {d.width, 3, d.patchSize, d.patchSize}, w.patch);
    for (std::size_t i = 0; i < w.blocks.size(); ++i)
        visitBlock(visit, d, "blocks." + std::to_string(i) + ".", w.blocks[i]);
    visitLayer(visit, deit ? "norm" : "norm_before_pooling", {d.width}, w.norm);
    visitLayer(visit, "head", {d.classes, d.width}, w.head);
    if (d.distilled)
        visitLayer(visit, "head_dist", {d.classes, d.width}, w.distillationHead);
}

VitWeights loadVitWeights(const VitDescription& description, WeightLoader& loader, PositionRule rule)
{
    const auto make = [&](const std::string& name, const Shape& shape) {
        return name == "pos_embed" ? takePosition(description, shape, loader, rule) : loader.take(name, shape);
    };
    VitWeights weights = makeWeights(make, description);
    for (std::size_t i = 0; i < weights.blocks.size(); ++i)
        weights.blocks[i].attention = loader.takeLearned("blocks." + std::to_string(i) + ".attn.");
    return weights;
}

VitWeights randomVitWeights(const VitDescription& description, std::uint64_t seed)
{
    return makeWeights(
        [&](const std::string& name, const Shape& shape) { return initialWeight(name, shape, 0.02, seed); },
        description);
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "models/vit_weights.h"

#include "core/attention/shapes.h"
#include "core/base/random.h"

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;
/// Gives a tensor for a name and a shape: from a file, or drawn.
using TensorMaker = std::function<at::Tensor(const std::string&, const Shape&)>;

LinearWeights linear(const TensorMaker& make, const std::string& name, std::int64_t out, std::int64_t in, bool bias = true)
{
    return {make(name + ".weight", {out, in}), bias ? make(name + ".bias", {out}) : at::Tensor()};
}

LinearWeights norm(const TensorMaker& make, const std::string& name, std::int64_t width)
{
    return {make(name + ".weight", {width}), make(name + ".bias", {width})};
}

VitBlockWeights makeBlock(const TensorMaker& make, const VitDescription& d, const std::string& prefix)
{
    VitBlockWeights block;
    block.norm1 = norm(make, prefix + "norm1", d.width);
    block.qkv = linear(make, prefix + "attn.qkv", 3 * d.width, d.width, d.qkvBias);
    block.projection = linear(make, prefix + "attn.proj", d.width, d.width);
    block.norm2 = norm(make, prefix + "norm2", d.width);
    block.fc1 = linear(make, prefix + "mlp.fc1", d.hidden(), d.width);
    block.fc2 = linear(make, prefix + "mlp.fc2", d.width, d.hidden());
    return block;
}

VitWeights makeWeights(const TensorMaker& make, const VitDescription& d)
{
    const bool deit = d.family == VitFamily::Deit;
    VitWeights w;
    if (deit)
        w.classToken = make("cls_token", {1, 1, d.width});
    if (d.distilled)
        w.distillationToken = make("dist_token", {1, 1, d.width});
    w.position = deit ? make("pos_embed", {1, d.tokens(), d.width})
                      : make("pos_embed", {1, d.rows(), d.columns(), d.width}).reshape({1, d.tokens(), d.width});
    w.patch = {make("patch_embed.proj.weight", {d.width, 3, d.patchSize, d.patchSize}), make("patch_embed.proj.bias", {d.width})};
    for (std::int64_t i = 0; i < d.depth; ++i)
        w.blocks.push_back(makeBlock(make, d, "blocks." + std::to_string(i) + "."));
    w.norm = norm(make, deit ? "norm" : "norm_before_pooling", d.width);
    w.head = linear(make, "head", d.classes, d.width);
    if (d.distilled)
        w.distillationHead = linear(make, "head_dist", d.classes, d.width);
    return w;
}

/// Standard normal cut at ±2, times `deviation`, by the inverse of its distribution function.
at::Tensor truncatedNormal(const std::string& name, const Shape& shape, double deviation, std::uint64_t seed)
{
    const at::Tensor uniform = at::empty(shape);
    fillUniform({seed, 0, 0, streamPurpose(name)}, 0, {uniform.data_ptr<float>(), static_cast<std::size_t>(uniform.numel())});
    const double reach = std::erf(std::numbers::sqrt2);  // 2Φ(2) − 1
    return at::erfinv((uniform * 2 - 1) * reach) * (deviation * std::numbers::sqrt2);
}

at::Tensor randomTensor(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    const bool isNorm = name.find("norm") != std::string::npos;
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (isNorm)
        return at::ones(shape);
    if (name.ends_with("patch_embed.proj.weight")) {
        const auto fanIn = static_cast<double>(shape[1] * shape[2] * shape[3]);
        return truncatedNormal(name, shape, 1 / std::sqrt(fanIn), seed);
    }
    return truncatedNormal(name, shape, 0.02, seed);
}

/// `blocks.3.attn.q_bar_gen.2.weight` → (3, "q_bar_gen.2.weight") for what an attention may own.
bool isAttentionParameter(const std::string& name)
{
    for (const char* part : {"q_bar_gen.", "k_bar_gen.", "eval_proj", "random_proj", "sigma"})
        if (name.compare(0, std::string(part).size(), part) == 0)
            return true;
    return false;
}

void takeAttentionParameters(WeightLoader& loader, VitWeights& weights)
{
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
        const std::string prefix = "blocks." + std::to_string(i) + ".attn.";
        for (const std::string& name : loader.unused()) {
            if (name.compare(0, prefix.size(), prefix) == 0 && isAttentionParameter(name.substr(prefix.size())))
                weights.blocks[i].attention[name.substr(prefix.size())] = loader.takeAny(name);
        }
    }
}

struct Grid {
    std::int64_t rows = 0, columns = 0;
};

/// The grid that a stored position embedding was made for. Of (1, tokens, C) only squares can be told.
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

void VitWeights::forEach(const std::function<void(at::Tensor&)>& visit)
{
    const auto both = [&](LinearWeights& x) {
        visit(x.weight);
        visit(x.bias);
    };
    visit(classToken);
    visit(distillationToken);
    visit(position);
    for (LinearWeights* x : {&patch, &norm, &head, &distillationHead})
        both(*x);
    for (VitBlockWeights& block : blocks) {
        for (LinearWeights* x : {&block.norm1, &block.qkv, &block.projection, &block.norm2, &block.fc1, &block.fc2})
            both(*x);
        for (auto& [name, tensor] : block.attention)
            visit(tensor);
    }
}

VitWeights loadVitWeights(const VitDescription& description, WeightLoader& loader, PositionRule rule)
{
    const auto make = [&](const std::string& name, const Shape& shape) {
        return name == "pos_embed" ? takePosition(description, shape, loader, rule) : loader.take(name, shape);
    };
    VitWeights weights = makeWeights(make, description);
    takeAttentionParameters(loader, weights);
    return weights;
}

VitWeights randomVitWeights(const VitDescription& description, std::uint64_t seed)
{
    return makeWeights([&](const std::string& name, const Shape& shape) { return randomTensor(name, shape, seed); }, description);
}

}  // namespace attnscope

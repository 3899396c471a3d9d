#include "models/pvt/pvt_weights.h"

#include "core/attention/landmarks.h"
#include "models/blocks/random_weights.h"

#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

using Shape = std::vector<int64_t>;
std::string attentionPrefix(const PvtDescription& d)
{
    return d.form == PvtForm::Joint ? "attn.attn_fn." : "attn.";
}

std::string blockPrefix(const PvtDescription& d, size_t stage, size_t block)
{
    return "block" + std::to_string(stage + 1) + "." + std::to_string(block) + "." + attentionPrefix(d);
}

void visitAttentionOf(const WeightVisitor& visit, const PvtDescription& d, size_t stage, const std::string& prefix,
                      PvtBlockWeights& block)
{
    const int64_t c = d.stages[stage].width, ratio = d.linear ? 1 : d.stages[stage].reduction;
    if (d.form == PvtForm::Joint) {
        visitLayer(visit, prefix + "qkv", {3 * c, c}, block.joint, d.qkvBias);
    } else {
        visitLayer(visit, prefix + "q", {c, c}, block.query, d.qkvBias);
        visitLayer(visit, prefix + "kv", {2 * c, c}, block.keyValue, d.qkvBias);
    }
    visitLayer(visit, prefix + "proj", {c, c}, block.projection);
    if (d.reduces(stage)) {
        visitLayer(visit, prefix + "sr", {c, c, ratio, ratio}, block.reduction.convolution);
        visitLayer(visit, prefix + "norm", {c}, block.reduction.norm);
    }
    visitAttention(visit, prefix, block.attention);
}

void visitBlock(const WeightVisitor& visit, const PvtDescription& d, size_t stage, const std::string& prefix,
                PvtBlockWeights& block)
{
    const int64_t c = d.stages[stage].width, hidden = d.stages[stage].hidden();
    visitLayer(visit, prefix + "norm1", {c}, block.norm1);
    visitAttentionOf(visit, d, stage, prefix + attentionPrefix(d), block);
    visitLayer(visit, prefix + "norm2", {c}, block.norm2);
    visitLayer(visit, prefix + "mlp.fc1", {hidden, c}, block.fc1);
    visitLayer(visit, prefix + "mlp.dwconv.dwconv", {hidden, 1, 3, 3}, block.convolution);
    visitLayer(visit, prefix + "mlp.fc2", {c, hidden}, block.fc2);
}

/// All undefined, with a place for every weight.
PvtWeights placesFor(const PvtDescription& d)
{
    PvtWeights weights;
    for (size_t s = 0; s < d.stages.size(); ++s) {
        PvtStageWeights& stage = weights.stages.emplace_back();
        for (int64_t i = 0; i < d.stages[s].depth; ++i) {
            PvtBlockWeights& block = stage.blocks.emplace_back();
            if (d.reduces(s)) {
                block.reduction.normEps = d.reductionEps;
                block.reduction.pooled = d.linear;
                block.reduction.ratio = d.linear ? 1 : d.stages[s].reduction;
            }
        }
    }
    return weights;
}

PvtWeights makeWeights(const PvtDescription& d, const TensorMaker& make)
{
    PvtWeights weights = placesFor(d);
    visitWeights(weights, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) {
        value = make(name, shape);
    });
    for (size_t s = 0; s < weights.stages.size(); ++s)
        for (size_t i = 0; i < weights.stages[s].blocks.size(); ++i)
            for (const LandmarkMapTensor& map : d.landmarkShapes(s))
                weights.stages[s].blocks[i].attention[map.name] = make(blockPrefix(d, s, i) + map.name, map.shape);
    return weights;
}

/// Normal numbers truncated at ±`cut` standard deviations, by the inverse of their distribution function.
at::Tensor cutNormal(const std::string& name, const Shape& shape, double stddev, double cut, uint64_t seed)
{
    const double reach = std::erf(cut / std::numbers::sqrt2);  // 2Φ(cut) − 1
    return at::erfinv((uniformNumbers(name, shape, seed) * 2 - 1) * reach) * (stddev * std::numbers::sqrt2);
}

at::Tensor randomPvtTensor(const std::string& name, const Shape& shape, uint64_t seed)
{
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (shape.size() == 1)
        return at::ones(shape);  // the weight of a norm
    if (shape.size() == 2)
        return cutNormal(name, shape, 0.02, 2, seed);
    // (out, in / groups, k, k): a depthwise convolution has as many groups as outputs, and is the only one here with one input.
    const int64_t fanOut = shape[2] * shape[3] * (shape[1] == 1 ? 1 : shape[0]);
    return cutNormal(name, shape, std::sqrt(2 / double(fanOut)), 5, seed);
}

}

ReadoutWeights readoutOf(const PvtWeights& weights)
{
    return {weights.stages.back().norm, {weights.head}};
}

std::vector<LayerWeights*> linearLayersOfBlocks(PvtWeights& weights)
{
    std::vector<LayerWeights*> layers;
    for (PvtStageWeights& stage : weights.stages)
        for (PvtBlockWeights& block : stage.blocks)
            layers.insert(layers.end(), {&block.query, &block.keyValue, &block.joint, &block.projection,
                                         &block.fc1, &block.fc2});
    return layers;
}

void visitWeights(PvtWeights& w, const PvtDescription& d, const WeightVisitor& visit)
{
    int64_t in = 3;
    for (size_t s = 0; s < w.stages.size(); ++s) {
        const int64_t width = d.stages[s].width, kernel = PvtDescription::embeddingKernel(s);
        const std::string number = std::to_string(s + 1);
        visitLayer(visit, "patch_embed" + number + ".proj", {width, in, kernel, kernel}, w.stages[s].embedding);
        visitLayer(visit, "patch_embed" + number + ".norm", {width}, w.stages[s].embeddingNorm);
        for (size_t i = 0; i < w.stages[s].blocks.size(); ++i)
            visitBlock(visit, d, s, "block" + number + "." + std::to_string(i) + ".", w.stages[s].blocks[i]);
        visitLayer(visit, "norm" + number, {width}, w.stages[s].norm);
        in = width;
    }
    if (d.classes > 0)
        visitLayer(visit, "head", {d.classes, in}, w.head);
}

PvtWeights loadPvtWeights(const PvtDescription& description, WeightLoader& loader)
{
    PvtWeights weights = makeWeights(
        description, [&](const std::string& name, const Shape& shape) { return loader.take(name, shape); });
    for (size_t s = 0; s < weights.stages.size(); ++s)
        for (size_t i = 0; i < weights.stages[s].blocks.size(); ++i)
            weights.stages[s].blocks[i].attention.merge(
                loader.takeLearned(blockPrefix(description, s, i)));  // next to its maps
    return weights;
}

PvtWeights randomPvtWeights(const PvtDescription& description, uint64_t seed)
{
    return makeWeights(description, [&](const std::string& name, const Shape& shape) {
        return randomPvtTensor(name, shape, seed);
    });
}

}

#include "models/motionformer/motionformer_weights.h"

#include "models/blocks/random_weights.h"

#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<int64_t>;

void visitPosition(const WeightVisitor& visit, const MotionformerDescription& d, MotionformerPosition& position)
{
    const int64_t cells = d.positionSide() * d.positionSide(), times = d.times();
    if (d.position == PositionForm::Joint) {
        visit("st_embed", {1, 1 + times * cells, d.width}, position.space);
        return;
    }
    visit("pos_embed", {1, 1 + cells, d.width}, position.space);
    visit("temp_embed", {1, times, d.width}, position.time);
}

void visitBlock(const WeightVisitor& visit, const MotionformerDescription& d, const std::string& prefix,
                MotionformerBlockWeights& block)
{
    const int64_t c = d.width;
    visitLayer(visit, prefix + "norm1", {c}, block.norm1);
    visitLayer(visit, prefix + "attn.qkv", {3 * c, c}, block.qkv, d.qkvBias);
    visitLayer(visit, prefix + "attn.proj", {c, c}, block.projection);
    if (d.spaceTime == SpaceTime::Trajectory) {
        visitLayer(visit, prefix + "attn.proj_q", {c, c}, block.temporal.query);
        visitLayer(visit, prefix + "attn.proj_kv", {2 * c, c}, block.temporal.keyValue);
    }
    if (d.spaceTime == SpaceTime::Divided) {
        visitLayer(visit, prefix + "norm3", {c}, block.norm3);
        visitLayer(visit, prefix + "timeattn.qkv", {3 * c, c}, block.timeQkv, d.qkvBias);
        visitLayer(visit, prefix + "timeattn.proj", {c, c}, block.timeProjection);
    }
    visitLayer(visit, prefix + "norm2", {c}, block.norm2);
    visitLayer(visit, prefix + "mlp.fc1", {d.hidden(), c}, block.fc1);
    visitLayer(visit, prefix + "mlp.fc2", {c, d.hidden()}, block.fc2);
    visitAttention(visit, prefix + "attn.", block.attention);
}

/// If the value is x itself, only the half of `proj_kv` for the keys is used, without its bias, which adds the same number to all scores of
/// a query and cancels in the softmax.
void dropUnusedHalf(LayerWeights& keyValue)
{
    keyValue.weight = keyValue.weight.slice(0, 0, keyValue.weight.size(0) / 2).clone();
    keyValue.bias = at::Tensor();
}

MotionformerWeights makeWeights(const MotionformerDescription& d, const TensorMaker& make)
{
    MotionformerWeights w;
    w.blocks.resize(size_t(d.depth));
    w.heads.resize(d.classifierHeads.size());
    w.position.volume = {d.times(), d.positionSide(), d.positionSide()};
    visitWeights(
        w, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) { value = make(name, shape); });
    w.patch.weight = w.patch.weight.flatten(1);
    if (d.spaceTime == SpaceTime::Trajectory && d.temporalValue == TemporalValue::Spatial)
        for (MotionformerBlockWeights& block : w.blocks)
            dropUnusedHalf(block.temporal.keyValue);
    return w;
}

/// Handles a temporal embedding for clips of another length.
at::Tensor takeTime(const Shape& shape, WeightLoader& loader)
{
    const Shape stored = loader.shape("temp_embed");
    if (stored.size() != 3 || stored[0] != 1 || stored[1] < 1 || stored[2] != shape[2] || stored == shape)
        return loader.take("temp_embed", shape);
    loader.noteResized("temp_embed from " + std::to_string(stored[1]) + " to " + std::to_string(shape[1])
                       + " time steps (linear; the authors' loader leaves zeros)");
    return resizeTime(loader.takeAny("temp_embed"), shape[1]);
}

void noteResizedSpace(const MotionformerDescription& d, WeightLoader& loader)
{
    const int64_t side = d.positionSide();
    if (d.rows() == side && d.columns() == side)
        return;
    const std::string before = std::to_string(side) + "×" + std::to_string(side);
    loader.noteResized((d.position == PositionForm::Joint ? "st_embed from " : "pos_embed from ") + before + " to "
                       + std::to_string(d.rows()) + "×" + std::to_string(d.columns())
                       + " (bicubic with scale factor, as the Motionformer authors do)");
}

/// 0.02 is the initial value of networks with 768 channels. Narrower ones get what preserves the variance of a layer: with 0.02 they hardly
/// learn.
double stddevAt(int64_t width)
{
    return 0.02 * std::sqrt(768 / double(width));
}

}

ReadoutWeights readoutOf(const MotionformerWeights& weights)
{
    return {weights.norm, weights.heads};
}

std::vector<LayerWeights*> linearLayersOfBlocks(MotionformerWeights& weights)
{
    std::vector<LayerWeights*> layers;
    for (MotionformerBlockWeights& block : weights.blocks)
        layers.insert(layers.end(), {&block.qkv, &block.projection, &block.fc1, &block.fc2, &block.temporal.query,
                                     &block.timeQkv, &block.timeProjection});
    return layers;
}

void visitWeights(MotionformerWeights& w, const MotionformerDescription& d, const WeightVisitor& visit)
{
    const int64_t c = d.width;
    visit("cls_token", {1, 1, c}, w.classToken);
    visitPosition(visit, d, w.position);
    visitLayer(visit, "patch_embed_3d.proj", {c, 3, d.tubelet, d.patchSize, d.patchSize}, w.patch);
    for (size_t i = 0; i < w.blocks.size(); ++i)
        visitBlock(visit, d, "blocks." + std::to_string(i) + ".", w.blocks[i]);
    visitLayer(visit, "norm", {c}, w.norm);
    if (d.preLogits)
        visitLayer(visit, "pre_logits.fc", {c, c}, w.preLogits);
    const bool one = d.classifierHeads.size() == 1;
    for (size_t i = 0; i < d.classifierHeads.size(); ++i)
        visitLayer(visit, one ? "head" : "head" + std::to_string(i), {d.classifierHeads[i], c}, w.heads[i]);
}

MotionformerWeights loadMotionformerWeights(const MotionformerDescription& description, WeightLoader& loader)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return name == "temp_embed" ? takeTime(shape, loader) : loader.take(name, shape);
    };
    MotionformerWeights weights = makeWeights(description, make);
    noteResizedSpace(description, loader);
    for (const char* unused : {"patch_embed.proj.weight", "patch_embed.proj.bias"})
        loader.ignore(unused);
    for (size_t i = 0; i < weights.blocks.size(); ++i)
        weights.blocks[i].attention = loader.takeLearned("blocks." + std::to_string(i) + ".attn.");
    return weights;
}

MotionformerWeights randomMotionformerWeights(const MotionformerDescription& description, uint64_t seed)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return initialWeight(name, shape, stddevAt(description.width), seed);
    };
    return makeWeights(description, make);
}

}

// SPDX-License-Identifier: Apache-2.0
#include "models/motionformer/motionformer_weights.h"

#include "models/blocks/random_weights.h"

#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;

/// Visits the weights of one network under their original names.
class MotionformerWalk {
public:
    MotionformerWalk(const MotionformerDescription& description, const WeightVisitor& visit)
        : m_d(description)
        , m_visit(visit)
    {}

    void network(MotionformerWeights& w) const
    {
        const std::int64_t c = m_d.width;
        m_visit("cls_token", {1, 1, c}, w.classToken);
        position(w.position);
        layer("patch_embed_3d.proj", {c, 3, m_d.tubelet, m_d.patchSize, m_d.patchSize}, w.patch);
        for (std::size_t i = 0; i < w.blocks.size(); ++i)
            block("blocks." + std::to_string(i) + ".", w.blocks[i]);
        layer("norm", {c}, w.norm);
        if (m_d.preLogits)
            layer("pre_logits.fc", {c, c}, w.preLogits);
        const bool one = m_d.classifierHeads.size() == 1;
        for (std::size_t i = 0; i < m_d.classifierHeads.size(); ++i)
            layer(one ? "head" : "head" + std::to_string(i), {m_d.classifierHeads[i], c}, w.heads[i]);
    }

private:
    void layer(const std::string& name, const Shape& shape, LayerWeights& weights, bool bias = true) const
    {
        visitLayer(m_visit, name, shape, weights, bias);
    }

    void position(MotionformerPosition& position) const
    {
        const std::int64_t cells = m_d.positionSide() * m_d.positionSide(), times = m_d.times();
        if (m_d.position == PositionForm::Joint) {
            m_visit("st_embed", {1, 1 + times * cells, m_d.width}, position.space);
            return;
        }
        m_visit("pos_embed", {1, 1 + cells, m_d.width}, position.space);
        m_visit("temp_embed", {1, times, m_d.width}, position.time);
    }

    void block(const std::string& prefix, MotionformerBlockWeights& block) const
    {
        const std::int64_t c = m_d.width;
        layer(prefix + "norm1", {c}, block.norm1);
        layer(prefix + "attn.qkv", {3 * c, c}, block.qkv, m_d.qkvBias);
        layer(prefix + "attn.proj", {c, c}, block.projection);
        if (m_d.spaceTime == SpaceTime::Trajectory) {
            layer(prefix + "attn.proj_q", {c, c}, block.temporal.query);
            layer(prefix + "attn.proj_kv", {2 * c, c}, block.temporal.keyValue);
        }
        if (m_d.spaceTime == SpaceTime::Divided) {
            layer(prefix + "norm3", {c}, block.norm3);
            layer(prefix + "timeattn.qkv", {3 * c, c}, block.timeQkv, m_d.qkvBias);
            layer(prefix + "timeattn.proj", {c, c}, block.timeProjection);
        }
        layer(prefix + "norm2", {c}, block.norm2);
        layer(prefix + "mlp.fc1", {m_d.hidden(), c}, block.fc1);
        layer(prefix + "mlp.fc2", {c, m_d.hidden()}, block.fc2);
        visitAttention(m_visit, prefix + "attn.", block.attention);
    }

    const MotionformerDescription& m_d;
    const WeightVisitor& m_visit;
};

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
    w.blocks.resize(static_cast<std::size_t>(d.depth));
    w.heads.resize(d.classifierHeads.size());
    w.position.volume = {d.times(), d.positionSide(), d.positionSide()};
    visitWeights(w, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) { value = make(name, shape); });
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
    const std::int64_t side = d.positionSide();
    if (d.rows() == side && d.columns() == side)
        return;
    const std::string before = std::to_string(side) + "×" + std::to_string(side);
    loader.noteResized((d.position == PositionForm::Joint ? "st_embed from " : "pos_embed from ") + before + " to "
                       + std::to_string(d.rows()) + "×" + std::to_string(d.columns())
                       + " (bicubic with scale factor, as the Motionformer authors do)");
}

/// 0.02 is the initial value of networks with 768 channels. Narrower ones get what preserves the variance of a layer: with 0.02 they hardly
/// learn.
double stddevAt(std::int64_t width)
{
    return 0.02 * std::sqrt(768 / static_cast<double>(width));
}

}  // namespace

void visitWeights(MotionformerWeights& weights, const MotionformerDescription& description, const WeightVisitor& visit)
{
    MotionformerWalk(description, visit).network(weights);
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
    for (std::size_t i = 0; i < weights.blocks.size(); ++i)
        weights.blocks[i].attention = loader.takeLearned("blocks." + std::to_string(i) + ".attn.");
    return weights;
}

MotionformerWeights randomMotionformerWeights(const MotionformerDescription& description, std::uint64_t seed)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return initialWeight(name, shape, stddevAt(description.width), seed);
    };
    return makeWeights(description, make);
}

}  // namespace attnscope

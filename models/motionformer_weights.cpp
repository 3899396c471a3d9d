// SPDX-License-Identifier: Apache-2.0
#include "models/motionformer_weights.h"

#include "models/random_weights.h"

#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;

/// Makes the tensors of one description under their original names.
class Builder {
public:
    Builder(const MotionformerDescription& description, const TensorMaker& make)
        : m_d(description)
        , m_make(make)
    {}

    MotionformerWeights build() const
    {
        const std::int64_t c = m_d.width;
        MotionformerWeights w;
        w.classToken = m_make("cls_token", {1, 1, c});
        w.position = position();
        w.patch = layer("patch_embed_3d.proj", {c, 3, m_d.tubelet, m_d.patchSize, m_d.patchSize});
        w.patch.weight = w.patch.weight.flatten(1);
        for (std::int64_t i = 0; i < m_d.depth; ++i)
            w.blocks.push_back(block("blocks." + std::to_string(i) + "."));
        w.norm = layer("norm", {c});
        if (m_d.preLogits)
            w.preLogits = layer("pre_logits.fc", {c, c});
        const bool one = m_d.headClasses.size() == 1;
        for (std::size_t i = 0; i < m_d.headClasses.size(); ++i)
            w.heads.push_back(layer(one ? "head" : "head" + std::to_string(i), {m_d.headClasses[i], c}));
        return w;
    }

private:
    /// Weight of that shape and a bias as long as its first side.
    LinearWeights layer(const std::string& name, const Shape& shape, bool bias = true) const
    {
        return {m_make(name + ".weight", shape), bias ? m_make(name + ".bias", {shape[0]}) : at::Tensor()};
    }

    MotionformerPosition position() const
    {
        const std::int64_t side = m_d.positionSide(), cells = side * side;
        const TokenVolume volume{m_d.times(), side, side};
        if (m_d.position == PositionForm::Joint)
            return {m_make("st_embed", {1, 1 + volume.times * cells, m_d.width}), {}, volume};
        return {m_make("pos_embed", {1, 1 + cells, m_d.width}), m_make("temp_embed", {1, volume.times, m_d.width}),
                volume};
    }

    MotionformerBlockWeights block(const std::string& prefix) const
    {
        const std::int64_t c = m_d.width;
        MotionformerBlockWeights block;
        block.norm1 = layer(prefix + "norm1", {c});
        block.qkv = layer(prefix + "attn.qkv", {3 * c, c}, m_d.qkvBias);
        block.projection = layer(prefix + "attn.proj", {c, c});
        if (m_d.spaceTime == SpaceTime::Trajectory)
            block.temporal = temporal(prefix + "attn.");
        if (m_d.spaceTime == SpaceTime::Divided) {
            block.norm3 = layer(prefix + "norm3", {c});
            block.timeQkv = layer(prefix + "timeattn.qkv", {3 * c, c}, m_d.qkvBias);
            block.timeProjection = layer(prefix + "timeattn.proj", {c, c});
        }
        block.norm2 = layer(prefix + "norm2", {c});
        block.fc1 = layer(prefix + "mlp.fc1", {m_d.hidden(), c});
        block.fc2 = layer(prefix + "mlp.fc2", {c, m_d.hidden()});
        return block;
    }

    TemporalWeights temporal(const std::string& prefix) const
    {
        const LinearWeights both = layer(prefix + "proj_kv", {2 * m_d.width, m_d.width});
        TemporalWeights weights{
            layer(prefix + "proj_q", {m_d.width, m_d.width}), both.weight.slice(0, 0, m_d.width).clone(), {}};
        if (m_d.temporalValue == TemporalValue::Projected)
            weights.value = {both.weight.slice(0, m_d.width).clone(), both.bias.slice(0, m_d.width).clone()};
        return weights;
    }

    const MotionformerDescription& m_d;
    const TensorMaker& m_make;
};

/// A temporal embedding made for clips of another length.
at::Tensor takeTime(const Shape& shape, WeightLoader& loader)
{
    const Shape stored = loader.shape("temp_embed");
    if (stored.size() != 3 || stored[0] != 1 || stored[1] < 1 || stored[2] != shape[2] || stored == shape)
        return loader.take("temp_embed", shape);
    loader.noteResized("temp_embed from " + std::to_string(stored[1]) + " to " + std::to_string(shape[1])
                       + " times (linear; the authors' loader leaves zeros)");
    return resizeTime(loader.takeAny("temp_embed"), shape[1]);
}

bool isAttentionParameter(const std::string& name)
{
    for (const char* part : {"q_bar_gen.", "k_bar_gen.", "eval_proj", "random_proj", "sigma"})
        if (name.starts_with(part))
            return true;
    return false;
}

void takeAttentionParameters(WeightLoader& loader, MotionformerWeights& weights)
{
    for (std::size_t i = 0; i < weights.blocks.size(); ++i) {
        const std::string prefix = "blocks." + std::to_string(i) + ".attn.";
        for (const std::string& name : loader.unused())
            if (name.starts_with(prefix) && isAttentionParameter(name.substr(prefix.size())))
                weights.blocks[i].attention[name.substr(prefix.size())] = loader.takeAny(name);
    }
}

void noteResizedSpace(const MotionformerDescription& d, WeightLoader& loader)
{
    const std::int64_t side = d.positionSide();
    if (d.rows() == side && d.columns() == side)
        return;
    const std::string before = std::to_string(side) + "×" + std::to_string(side);
    loader.noteResized((d.position == PositionForm::Joint ? "st_embed from " : "pos_embed from ") + before + " to "
                       + std::to_string(d.rows()) + "×" + std::to_string(d.columns())
                       + " (bicubic by factor, as the Motionformer authors do)");
}

at::Tensor randomTensor(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (name.find("norm") != std::string::npos)
        return at::ones(shape);
    if (!name.ends_with("patch_embed_3d.proj.weight"))
        return truncatedNormal(name, shape, 0.02, seed);
    const auto fanIn = static_cast<double>(shape[1] * shape[2] * shape[3] * shape[4]);
    return truncatedNormal(name, shape, 1 / std::sqrt(fanIn), seed);
}

}  // namespace

void MotionformerWeights::forEach(const std::function<void(at::Tensor&)>& visit)
{
    const auto both = [&](LinearWeights& x) {
        visit(x.weight);
        visit(x.bias);
    };
    for (at::Tensor* x : {&classToken, &position.space, &position.time})
        visit(*x);
    for (LinearWeights* x : {&patch, &norm, &preLogits})
        both(*x);
    for (LinearWeights& head : heads)
        both(head);
    for (MotionformerBlockWeights& block : blocks) {
        for (LinearWeights* x :
             {&block.norm1, &block.qkv, &block.projection, &block.norm2, &block.fc1, &block.fc2,
              &block.temporal.query, &block.temporal.value, &block.norm3, &block.timeQkv, &block.timeProjection})
            both(*x);
        visit(block.temporal.key);
        for (auto& [name, tensor] : block.attention)
            visit(tensor);
    }
}

MotionformerWeights loadMotionformerWeights(const MotionformerDescription& description, WeightLoader& loader)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return name == "temp_embed" ? takeTime(shape, loader) : loader.take(name, shape);
    };
    MotionformerWeights weights = Builder(description, make).build();
    noteResizedSpace(description, loader);
    for (const char* unused : {"patch_embed.proj.weight", "patch_embed.proj.bias"})
        loader.ignore(unused);
    takeAttentionParameters(loader, weights);
    return weights;
}

MotionformerWeights randomMotionformerWeights(const MotionformerDescription& description, std::uint64_t seed)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return randomTensor(name, shape, seed);
    };
    return Builder(description, make).build();
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "models/pvt/pvt_weights.h"

#include "core/base/random.h"
#include "models/blocks/random_weights.h"

#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;
std::string attentionPrefix(const PvtDescription& d)
{
    return d.form == PvtForm::Joint ? "attn.attn_fn." : "attn.";
}

std::string blockPrefix(const PvtDescription& d, std::size_t stage, std::size_t block)
{
    return "block" + std::to_string(stage + 1) + "." + std::to_string(block) + "." + attentionPrefix(d);
}

/// Goes through the weights of one network under their original names.
class PvtWalk {
public:
    PvtWalk(const PvtDescription& description, const WeightVisitor& visit)
        : m_d(description)
        , m_visit(visit)
    {}

    void network(PvtWeights& weights) const
    {
        std::int64_t in = 3;
        for (std::size_t i = 0; i < m_d.stages.size(); ++i) {
            stage(i, in, weights.stages[i]);
            in = m_d.stages[i].width;
        }
        layer("head", {m_d.classes, in}, weights.head);
    }

private:
    void layer(const std::string& name, const Shape& shape, LayerWeights& weights, bool bias = true) const
    {
        visitLayer(m_visit, name, shape, weights, bias);
    }

    void stage(std::size_t index, std::int64_t in, PvtStageWeights& stage) const
    {
        const std::int64_t width = m_d.stages[index].width, kernel = PvtDescription::embeddingKernel(index);
        const std::string number = std::to_string(index + 1);
        layer("patch_embed" + number + ".proj", {width, in, kernel, kernel}, stage.embedding);
        layer("patch_embed" + number + ".norm", {width}, stage.embeddingNorm);
        for (std::size_t i = 0; i < stage.blocks.size(); ++i)
            block(index, "block" + number + "." + std::to_string(i) + ".", stage.blocks[i]);
        layer("norm" + number, {width}, stage.norm);
    }

    void block(std::size_t stage, const std::string& prefix, PvtBlockWeights& block) const
    {
        const std::int64_t c = m_d.stages[stage].width, hidden = m_d.stages[stage].hidden();
        layer(prefix + "norm1", {c}, block.norm1);
        attention(stage, prefix + attentionPrefix(m_d), block);
        layer(prefix + "norm2", {c}, block.norm2);
        layer(prefix + "mlp.fc1", {hidden, c}, block.fc1);
        layer(prefix + "mlp.dwconv.dwconv", {hidden, 1, 3, 3}, block.convolution);
        layer(prefix + "mlp.fc2", {c, hidden}, block.fc2);
    }

    void attention(std::size_t stage, const std::string& prefix, PvtBlockWeights& block) const
    {
        const std::int64_t c = m_d.stages[stage].width;
        if (m_d.form == PvtForm::Joint) {
            layer(prefix + "qkv", {3 * c, c}, block.joint, m_d.qkvBias);
        } else {
            layer(prefix + "q", {c, c}, block.query, m_d.qkvBias);
            layer(prefix + "kv", {2 * c, c}, block.keyValue, m_d.qkvBias);
        }
        layer(prefix + "proj", {c, c}, block.projection);
        if (m_d.reduces(stage))
            reduction(stage, prefix, block.reduction);
        visitAttention(m_visit, prefix, block.attention);
    }

    void reduction(std::size_t stage, const std::string& prefix, SpatialReduction& reduction) const
    {
        const std::int64_t c = m_d.stages[stage].width, ratio = m_d.linear ? 1 : m_d.stages[stage].reduction;
        m_visit(prefix + "sr.weight", {c, c, ratio, ratio}, reduction.convolution.weight);
        m_visit(prefix + "sr.bias", {c}, reduction.convolution.bias);
        m_visit(prefix + "norm.weight", {c}, reduction.norm.weight);
        m_visit(prefix + "norm.bias", {c}, reduction.norm.bias);
    }

    const PvtDescription& m_d;
    const WeightVisitor& m_visit;
};

/// All undefined, with a place for every weight.
PvtWeights placesFor(const PvtDescription& d)
{
    PvtWeights weights;
    for (std::size_t s = 0; s < d.stages.size(); ++s) {
        PvtStageWeights& stage = weights.stages.emplace_back();
        for (std::int64_t i = 0; i < d.stages[s].depth; ++i) {
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
    visitWeights(weights, d, [&](const std::string& name, const Shape& shape, at::Tensor& value) { value = make(name, shape); });
    for (std::size_t s = 0; s < weights.stages.size(); ++s)
        for (std::size_t i = 0; i < weights.stages[s].blocks.size(); ++i)
            for (const LandmarkMapTensor& map : d.landmarkShapes(s))
                weights.stages[s].blocks[i].attention[map.name] = make(blockPrefix(d, s, i) + map.name, map.shape);
    return weights;
}

at::Tensor uniform(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    const at::Tensor values = at::empty(shape);
    fillUniform({seed, 0, 0, streamPurpose(name)}, 0,
                {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
    return values;
}

/// Normal numbers truncated at ±`cut` standard deviations, by the inverse of their distribution function.
at::Tensor cutNormal(const std::string& name, const Shape& shape, double stddev, double cut, std::uint64_t seed)
{
    const double reach = std::erf(cut / std::numbers::sqrt2);  // 2Φ(cut) − 1
    return at::erfinv((uniform(name, shape, seed) * 2 - 1) * reach) * (stddev * std::numbers::sqrt2);
}

at::Tensor randomPvtTensor(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (shape.size() == 1)
        return at::ones(shape);  // the weight of a norm
    if (shape.size() == 2)
        return cutNormal(name, shape, 0.02, 2, seed);
    // (out, in / groups, k, k): a depthwise convolution has as many groups as outputs, and is the only one here with one input.
    const std::int64_t fanOut = shape[2] * shape[3] * (shape[1] == 1 ? 1 : shape[0]);
    return cutNormal(name, shape, std::sqrt(2 / static_cast<double>(fanOut)), 5, seed);
}

}  // namespace

void visitWeights(PvtWeights& weights, const PvtDescription& description, const WeightVisitor& visit)
{
    PvtWalk(description, visit).network(weights);
}

PvtWeights loadPvtWeights(const PvtDescription& description, WeightLoader& loader)
{
    PvtWeights weights = makeWeights(description, [&](const std::string& name, const Shape& shape) { return loader.take(name, shape); });
    for (std::size_t s = 0; s < weights.stages.size(); ++s)
        for (std::size_t i = 0; i < weights.stages[s].blocks.size(); ++i)
            weights.stages[s].blocks[i].attention.merge(loader.takeLearned(blockPrefix(description, s, i)));  // next to its maps
    return weights;
}

PvtWeights randomPvtWeights(const PvtDescription& description, std::uint64_t seed)
{
    return makeWeights(description, [&](const std::string& name, const Shape& shape) { return randomPvtTensor(name, shape, seed); });
}

}  // namespace attnscope

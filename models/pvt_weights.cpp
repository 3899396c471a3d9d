// SPDX-License-Identifier: Apache-2.0
#include "models/pvt_weights.h"

#include "core/base/random.h"

#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;
/// Gives a tensor for a name and a shape: from a file, or drawn.
using TensorMaker = std::function<at::Tensor(const std::string&, const Shape&)>;

std::string attentionPrefix(const PvtDescription& d)
{
    return d.form == PvtForm::Joint ? "attn.attn_fn." : "attn.";
}

/// Makes the tensors of one description under their original names.
class Builder {
public:
    Builder(const PvtDescription& description, const TensorMaker& make)
        : m_d(description)
        , m_make(make)
    {}

    PvtWeights build() const
    {
        PvtWeights weights;
        std::int64_t in = 3;
        for (std::size_t i = 0; i < m_d.stages.size(); ++i) {
            weights.stages.push_back(stage(i, in));
            in = m_d.stages[i].width;
        }
        weights.head = layer("head", {m_d.classes, in});
        return weights;
    }

private:
    /// Weight of that shape and a bias as long as its first side.
    LinearWeights layer(const std::string& name, const Shape& shape, bool bias = true) const
    {
        return {m_make(name + ".weight", shape), bias ? m_make(name + ".bias", {shape[0]}) : at::Tensor()};
    }

    PvtStageWeights stage(std::size_t index, std::int64_t in) const
    {
        const std::int64_t width = m_d.stages[index].width, kernel = PvtDescription::embeddingKernel(index);
        const std::string number = std::to_string(index + 1);
        PvtStageWeights stage;
        stage.embedding = layer("patch_embed" + number + ".proj", {width, in, kernel, kernel});
        stage.embeddingNorm = layer("patch_embed" + number + ".norm", {width});
        for (std::int64_t i = 0; i < m_d.stages[index].depth; ++i)
            stage.blocks.push_back(block(index, "block" + number + "." + std::to_string(i) + "."));
        stage.norm = layer("norm" + number, {width});
        return stage;
    }

    PvtBlockWeights block(std::size_t stage, const std::string& prefix) const
    {
        const std::int64_t c = m_d.stages[stage].width, hidden = m_d.stages[stage].hidden();
        PvtBlockWeights block;
        block.norm1 = layer(prefix + "norm1", {c});
        addAttention(stage, prefix + attentionPrefix(m_d), block);
        block.norm2 = layer(prefix + "norm2", {c});
        block.fc1 = layer(prefix + "mlp.fc1", {hidden, c});
        block.convolution = layer(prefix + "mlp.dwconv.dwconv", {hidden, 1, 3, 3});
        block.fc2 = layer(prefix + "mlp.fc2", {c, hidden});
        return block;
    }

    void addAttention(std::size_t stage, const std::string& prefix, PvtBlockWeights& block) const
    {
        const std::int64_t c = m_d.stages[stage].width;
        if (m_d.form == PvtForm::Joint) {
            block.joint = layer(prefix + "qkv", {3 * c, c}, m_d.qkvBias);
        } else {
            block.query = layer(prefix + "q", {c, c}, m_d.qkvBias);
            block.keyValue = layer(prefix + "kv", {2 * c, c}, m_d.qkvBias);
        }
        block.projection = layer(prefix + "proj", {c, c});
        if (m_d.reduces(stage))
            block.reduction = reduction(stage, prefix);
        for (const NamedShape& map : m_d.landmarkShapes(stage))
            block.attention[map.name] = m_make(prefix + map.name, map.shape);
    }

    SpatialReduction reduction(std::size_t stage, const std::string& prefix) const
    {
        const std::int64_t c = m_d.stages[stage].width, ratio = m_d.linear ? 1 : m_d.stages[stage].reduction;
        const LinearWeights convolution = layer(prefix + "sr", {c, c, ratio, ratio}),
                            norm = layer(prefix + "norm", {c});
        return {convolution.weight, convolution.bias, norm.weight, norm.bias, m_d.reductionEps, m_d.linear};
    }

    const PvtDescription& m_d;
    const TensorMaker& m_make;
};

at::Tensor uniform(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    const at::Tensor values = at::empty(shape);
    fillUniform({seed, 0, 0, streamPurpose(name)}, 0,
                {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
    return values;
}

/// Normal numbers cut at ±`cut` deviations, by the inverse of their distribution function.
at::Tensor cutNormal(const std::string& name, const Shape& shape, double deviation, double cut, std::uint64_t seed)
{
    const double reach = std::erf(cut / std::numbers::sqrt2);  // 2Φ(cut) − 1
    return at::erfinv((uniform(name, shape, seed) * 2 - 1) * reach) * (deviation * std::numbers::sqrt2);
}

at::Tensor randomTensor(const std::string& name, const Shape& shape, std::uint64_t seed)
{
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (shape.size() == 1)
        return at::ones(shape);  // the weight of a norm
    if (shape.size() == 2)
        return cutNormal(name, shape, 0.02, 2, seed);
    // (out, in / groups, k, k): a depthwise convolution has as many groups as outputs, and is the only one of ours with one input.
    const std::int64_t fanOut = shape[2] * shape[3] * (shape[1] == 1 ? 1 : shape[0]);
    return cutNormal(name, shape, std::sqrt(2 / static_cast<double>(fanOut)), 5, seed);
}

bool isAttentionParameter(std::string_view name)
{
    for (const char* part : {"q_bar_gen.", "k_bar_gen.", "eval_proj", "random_proj", "sigma"})
        if (name.starts_with(part))
            return true;
    return false;
}

/// Stored projections, and maps that the description does not speak of.
void takeAttentionParameters(const PvtDescription& d, WeightLoader& loader, PvtWeights& weights)
{
    for (std::size_t s = 0; s < weights.stages.size(); ++s)
        for (std::size_t i = 0; i < weights.stages[s].blocks.size(); ++i) {
            const std::string prefix = "block" + std::to_string(s + 1) + "." + std::to_string(i) + "."
                                       + attentionPrefix(d);
            for (const std::string& name : loader.unused())
                if (name.starts_with(prefix) && isAttentionParameter(std::string_view(name).substr(prefix.size())))
                    weights.stages[s].blocks[i].attention[name.substr(prefix.size())] = loader.takeAny(name);
        }
}

}  // namespace

void PvtWeights::forEach(const std::function<void(at::Tensor&)>& visit)
{
    const auto both = [&](LinearWeights& x) {
        visit(x.weight);
        visit(x.bias);
    };
    for (PvtStageWeights& stage : stages) {
        for (LinearWeights* x : {&stage.embedding, &stage.embeddingNorm, &stage.norm})
            both(*x);
        for (PvtBlockWeights& block : stage.blocks) {
            for (LinearWeights* x : {&block.norm1, &block.norm2, &block.projection, &block.fc1, &block.convolution,
                                     &block.fc2, &block.query, &block.keyValue, &block.joint})
                both(*x);
            for (at::Tensor* x : {&block.reduction.weight, &block.reduction.bias, &block.reduction.normWeight,
                                  &block.reduction.normBias})
                visit(*x);
            for (auto& [name, tensor] : block.attention)
                visit(tensor);
        }
    }
    both(head);
}

PvtWeights loadPvtWeights(const PvtDescription& description, WeightLoader& loader)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) { return loader.take(name, shape); };
    PvtWeights weights = Builder(description, make).build();
    takeAttentionParameters(description, loader, weights);
    return weights;
}

PvtWeights randomPvtWeights(const PvtDescription& description, std::uint64_t seed)
{
    const TensorMaker make = [&](const std::string& name, const Shape& shape) {
        return randomTensor(name, shape, seed);
    };
    return Builder(description, make).build();
}

}  // namespace attnscope

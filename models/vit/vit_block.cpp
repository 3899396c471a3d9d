#include "models/vit/vit_block.h"

#include "core/nn/query_keys.h"
#include "models/vit/vit_relative.h"

#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

namespace {

using Branch = StochasticDepth::Branch;

/// x (B,N,heads·d) → (B,heads,N,d), a view.
at::Tensor headsOf(const at::Tensor& x, int64_t heads)
{
    return x.unflatten(-1, {heads, x.size(-1) / heads}).transpose(1, 2);
}

/// What each of the description's attentions does with the tokens of one layer.
class LayerAttention {
public:
    LayerAttention(const VitPass& pass, int64_t layer)
        : m_pass(pass)
        , m_d(pass.description)
        , m_layer(layer)
    {}

    /// The inputs of an attention by its projected tokens (B,N,C + 2·kv·d): two if it is differential.
    std::vector<AttentionInput> inputs(const VitAttentionWeights& w, const at::Tensor& qkv) const
    {
        const int64_t c = m_d.width, kept = m_d.keyHeadsOf(m_layer), pairs = m_d.differential ? 2 : 1;
        const int64_t keyed = kept * m_d.valueDim();
        const bool finished = finishedInPlace(w, qkv);
        auto q = headsOf(qkv.narrow(-1, 0, c), pairs * m_d.heads),
             k = headsOf(qkv.narrow(-1, c, keyed), pairs * kept),
             v = headsOf(qkv.narrow(-1, c + keyed, keyed), kept);
        if (m_d.queryKeyNorm && !finished)
            q = normed(q, w.queryNorm, m_d.layerNormEps), k = normed(k, w.keyNorm, m_d.layerNormEps);
        if (m_pass.turns.defined() && !finished) {
            const VitTurns turns = turnsHere();
            q = turned(q, m_pass.tokens.prefix, turns), k = turned(k, m_pass.tokens.prefix, turns);
        }
        if (kept < m_d.heads)
            k = k.repeat_interleave(m_d.heads / kept, 1), v = v.repeat_interleave(m_d.heads / kept, 1);
        AttentionInput in{
            .q = q, .k = k, .v = v, .scale = 1 / std::sqrt(double(m_d.headDim())), .tokens = m_pass.tokens};
        if (m_pass.merger != nullptr)
            in.tokens = m_pass.merger->layout(), in.keyLogWeights = m_pass.merger->keyLogWeights(m_d.heads);
        if (m_d.relative)
            in.bias = m_pass.sharedBias.defined() ? m_pass.sharedBias
                                                  : relativeBias(m_d, w.relative, m_pass.tokens, m_pass.offsets);
        if (!m_d.differential)
            return {in};
        AttentionInput even = in, odd = in;
        even.q = q.slice(1, 0, {}, 2), even.k = k.slice(1, 0, {}, 2);
        odd.q = q.slice(1, 1, {}, 2), odd.k = k.slice(1, 1, {}, 2);
        return {even, odd};
    }

    /// What the layer's attention makes of each input, (B,H,N,d), with the observer told once.
    std::vector<at::Tensor> attendAll(const std::vector<AttentionInput>& inputs) const
    {
        ForwardObserver* observer = m_pass.pass.observer;
        if (inputs.size() == 1)
            return {attend(m_pass.prepared, m_layer, inputs.front(), observer)};
        const auto index = size_t(m_layer);
        if (observer != nullptr)
            observer->beforeAttention(m_layer);
        std::vector<at::Tensor> outputs;
        for (const AttentionInput& in : inputs)
            outputs.push_back(m_pass.prepared.layers[index]->attend(in, *m_pass.prepared.noise[index]));
        if (observer != nullptr)
            observer->afterAttention(m_layer, together(inputs), at::cat(outputs, 1));
        return outputs;
    }

    /// The outputs of one attention's inputs → (B,N,C), as its projection takes them.
    at::Tensor mixed(const VitAttentionWeights& w, const at::Tensor& first, const at::Tensor& second) const
    {
        auto heads = first;
        if (m_d.differential) {
            const double start = 0.8 - 0.6 * std::exp(-0.3 * double(m_layer));
            const auto factor = (w.queries1 * w.keys1).sum().exp() - (w.queries2 * w.keys2).sum().exp() + start;
            constexpr double eps = 1e-5;  // whatever the description's is
            heads = normed(first - factor * second, w.differenceNorm, eps) * (1 - start);
        }
        const auto tokens = heads.transpose(1, 2).flatten(2);
        return m_d.attentionNorm ? normed(tokens, w.innerNorm, m_d.layerNormEps) : tokens;
    }

    /// All of it for one attention.
    struct Attended {
        at::Tensor mixed;  ///< (B,N,C)
        at::Tensor keys;   ///< (B,H,N,d)
    };
    Attended run(const VitAttentionWeights& w, const at::Tensor& qkv) const
    {
        const auto given = inputs(w, qkv);
        const auto outputs = attendAll(given);
        return {mixed(w, outputs.front(), outputs.back()), keysOf(given)};
    }

    /// The keys of all heads, by which tokens merge; undefined if none do.
    at::Tensor keysOf(const std::vector<AttentionInput>& inputs) const
    {
        if (m_pass.merger == nullptr)
            return {};
        std::vector<at::Tensor> keys;
        for (const AttentionInput& in : inputs)
            keys.push_back(in.k);
        return keys.size() == 1 ? keys.front() : at::cat(keys, 1);
    }

    /// Tokens (B,N,C) behind this attention: those that merge have become one.
    at::Tensor merged(const at::Tensor& x, const at::Tensor& keys) const
    {
        if (m_pass.merger == nullptr)
            return x;
        auto left = m_pass.merger->merge(m_layer, x, keys);
        if (m_pass.pass.observer != nullptr)
            m_pass.pass.observer->onMerging(m_layer, *m_pass.merger);
        return left;
    }

private:
    bool hasMerged() const { return m_pass.merger != nullptr && m_pass.merger->hasMerged(); }

    /// The turns of the tokens that there are: a merged one keeps the place of the token it was merged into.
    VitTurns turnsHere() const
    {
        const VitTurns turns = m_pass.turns.at(m_layer);
        return hasMerged()
                   ? turns.of(m_pass.merger->origins().slice(1, m_pass.tokens.prefix) - m_pass.tokens.prefix)
                   : turns;
    }

    /// Norms and turns the queries and keys of projected tokens by kernels, if there are some and the projection has used them.
    bool finishedInPlace(const VitAttentionWeights& w, const at::Tensor& qkv) const
    {
        const bool turnsDiffer = m_pass.turns.defined()
                                 && hasMerged();  // from sample to sample, which the kernels don't know
        if (!w.qkv.packedWeights.defined() || (!m_d.queryKeyNorm && !m_pass.turns.defined()) || turnsDiffer)
            return false;
        const int64_t pairs = m_d.differential ? 2 : 1;
        packedWeights::QueryKeys parts{.queryHeads = pairs * m_d.heads,
                                       .keyHeads = pairs * m_d.keyHeadsOf(m_layer),
                                       .width = m_d.headDim(),
                                       .eps = m_d.layerNormEps,
                                       .prefix = m_pass.tokens.prefix};
        if (m_d.queryKeyNorm)
            parts.queryNorm = &w.queryNorm.packedWeights, parts.keyNorm = &w.keyNorm.packedWeights;
        if (m_pass.turns.defined()) {
            const VitTurns turns = m_pass.turns.at(m_layer);
            parts.cosine = turns.cosine, parts.sine = turns.sine, parts.interleaved = !turns.half;
        }
        const bool possible = packedWeights::fits(qkv, parts);
        if (possible)
            packedWeights::finishQueryKeys(qkv, parts);
        return possible;
    }

    /// The inputs of several attentions as one with the heads of all.
    static AttentionInput together(const std::vector<AttentionInput>& inputs)
    {
        AttentionInput all = inputs.front();
        for (at::Tensor AttentionInput::*part : {&AttentionInput::q, &AttentionInput::k, &AttentionInput::v}) {
            std::vector<at::Tensor> parts;
            for (const AttentionInput& in : inputs)
                parts.push_back(in.*part);
            all.*part = at::cat(parts, 1);
        }
        if (all.bias.defined()) {
            std::vector<at::Tensor> biases;
            for (const AttentionInput& in : inputs)
                biases.push_back(in.bias);
            all.bias = at::cat(biases);
        }
        return all;
    }

    const VitPass& m_pass;
    const VitDescription& m_d;
    int64_t m_layer;
};

/// A block at work.
class BlockRun {
public:
    BlockRun(const VitPass& pass, const VitBlockWeights& block, int64_t layer)
        : m_pass(pass.pass)
        , m_d(pass.description)
        , m_block(block)
        , m_layer(layer)
        , m_name("block." + std::to_string(layer))
        , m_attention(pass, layer)
    {}

    at::Tensor operator()(const at::Tensor& x) const
    {
        switch (m_d.block) {
        case VitBlock::Pre:
            return preNorm(x);
        case VitBlock::ResPost:
            return postNorm(x);
        case VitBlock::Parallel:
            return parallel(x);
        case VitBlock::Branches:
            break;
        }
        return branches(x);
    }

private:
    at::Tensor preNorm(const at::Tensor& x) const
    {
        const VitAttentionWeights& attention = m_block.attentions.front();
        const VitMlpWeights& mlp = m_block.mlps.front();
        const auto [mixed, keys] = m_attention.run(
            attention, normedLinear(x, attention.norm, m_d.layerNormEps, joinedQkv(attention)));
        const bool scales = (attention.scale.defined() && !attention.scaled)
                            || (mlp.scale.defined() && !mlp.scaled);
        if (!scales && m_pass.isWhole()) {
            const BlockEnd end{attention.projection,
                               mlp.norm,
                               mlp.fc1,
                               mlp.fc2,
                               m_d.layerNormEps,
                               m_d.activation,
                               m_d.mlpNorm ? &mlp.innerNorm : nullptr};
            return keys.defined()
                       ? finishMlp(m_attention.merged(linearAdded(x, mixed, attention.projection), keys), end)
                       : finishBlock(x, mixed, end);
        }
        const auto between = m_attention.merged(
            added(x, mixed, attention.projection, {attention.scale, attention.scaled}, ".attn", Branch::Attention),
            keys);
        return added(between, innerOf(mlp, between), mlp.fc2, {mlp.scale, mlp.scaled}, ".mlp", Branch::Mlp);
    }

    at::Tensor postNorm(const at::Tensor& x) const
    {
        const VitAttentionWeights& attention = m_block.attentions.front();
        const VitMlpWeights& mlp = m_block.mlps.front();
        const auto [attended, keys] = m_attention.run(attention, linear(x, joinedQkv(attention)));
        const auto mixed = linear(attended, attention.projection);
        report(m_pass.observer, m_name + ".attn", mixed);
        const auto between = m_attention.merged(
            x + dropped(normed(mixed, attention.norm, m_d.layerNormEps), Branch::Attention), keys);
        const auto out = linear(innerNormed(mlp, linear(between, mlp.fc1, m_d.activation)), mlp.fc2);
        report(m_pass.observer, m_name + ".mlp", out);
        return between + dropped(normed(out, mlp.norm, m_d.layerNormEps), Branch::Mlp);
    }

    at::Tensor parallel(const at::Tensor& x) const
    {
        const VitAttentionWeights& attention = m_block.attentions.front();
        const VitMlpWeights& mlp = m_block.mlps.front();
        const int64_t hidden = m_d.hidden();
        const auto all = normedLinear(x, attention.norm, m_d.layerNormEps, attention.qkv);
        const auto [mixed, keys] = m_attention.run(attention, all.slice(-1, hidden));
        auto inner = all.slice(-1, 0, hidden);
        if (mlp.fc1.bias.defined())
            inner = inner + mlp.fc1.bias;
        inner = activated(inner, m_d.activation);
        auto out = m_d.fusedOutput ? linear(at::cat({mixed, inner}, -1), attention.projection)
                                   : linearAdded(linear(mixed, attention.projection), inner, mlp.fc2);
        if (attention.scale.defined() && !attention.scaled)
            out = out * attention.scale;
        return m_attention.merged(x + dropped(out, Branch::Attention),
                                  keys);  // attention and MLP saw the same tokens
    }

    at::Tensor branches(const at::Tensor& x) const
    {
        std::vector<AttentionInput> inputs;
        for (const VitAttentionWeights& w : m_block.attentions)
            inputs.push_back(
                m_attention.inputs(w, normedLinear(x, w.norm, m_d.layerNormEps, joinedQkv(w))).front());
        const auto outputs = m_attention.attendAll(inputs);
        at::Tensor sum;
        const auto add = [&](const at::Tensor& value, const at::Tensor& scale, bool scaled) {
            const auto part = scale.defined() && !scaled ? value * scale : value;
            sum = sum.defined() ? sum + part : part;
        };
        for (size_t j = 0; j < outputs.size(); ++j) {
            const VitAttentionWeights& w = m_block.attentions[j];
            add(linear(m_attention.mixed(w, outputs[j], outputs[j]), w.projection), w.scale, w.scaled);
        }
        const auto between = m_attention.merged(x + dropped(sum, Branch::Attention), m_attention.keysOf(inputs));
        sum = at::Tensor();
        for (const VitMlpWeights& w : m_block.mlps)
            add(linear(innerOf(w, between), w.fc2), w.scale, w.scaled);
        return between + dropped(sum, Branch::Mlp);
    }

    /// What an MLP's last layer takes, of tokens before the norm.
    at::Tensor innerOf(const VitMlpWeights& mlp, const at::Tensor& x) const
    {
        return innerNormed(mlp, normedLinear(x, mlp.norm, m_d.layerNormEps, mlp.fc1, m_d.activation));
    }

    at::Tensor innerNormed(const VitMlpWeights& mlp, const at::Tensor& inner) const
    {
        return m_d.mlpNorm ? normed(inner, mlp.innerNorm, m_d.layerNormEps) : inner;
    }

    struct Scale {
        const at::Tensor& factor;
        bool contained;  ///< in the layer
    };

    /// x + factor · last(y), or what stochastic depth leaves of it; the observer sees last(y) before it is scaled.
    at::Tensor added(const at::Tensor& x, const at::Tensor& y, const LayerWeights& last, const Scale& scale,
                     const char* name, Branch branch) const
    {
        const bool separate = scale.factor.defined() && !scale.contained;
        if (m_pass.isWhole() && !separate)
            return linearAdded(x, y, last);
        auto value = linear(y, last);
        if (m_pass.isWatched())
            report(m_pass.observer, m_name + name,
                   scale.factor.defined() && scale.contained ? value / scale.factor : value);
        if (separate)
            value = value * scale.factor;
        return x + dropped(value, branch);
    }

    at::Tensor dropped(const at::Tensor& value, Branch branch) const
    {
        return m_pass.depth == nullptr ? value : m_pass.depth->apply(value, m_layer, branch);
    }

    const Pass& m_pass;
    const VitDescription& m_d;
    const VitBlockWeights& m_block;
    int64_t m_layer;
    std::string m_name;
    LayerAttention m_attention;
};

/// Makes a branch's factor part of its last layers. In float16 the products could be too small; a factor of 0 could not be taken out again
/// for an observer.
bool contains(const at::Tensor& factor, std::initializer_list<LayerWeights*> layers)
{
    if (!factor.defined() || factor.scalar_type() == at::kHalf || (factor == 0).any().item<bool>())
        return false;
    for (LayerWeights* layer : layers) {
        const auto scaled = [&](const at::Tensor& x, const at::Tensor& by) {
            return (x.to(at::kFloat) * by.to(at::kFloat)).to(x.scalar_type());
        };
        if (layer->weight.defined())
            layer->weight = scaled(layer->weight, factor.unsqueeze(1));
        if (layer->bias.defined())
            layer->bias = scaled(layer->bias, factor);
    }
    return true;
}

}

LayerWeights joinedQkv(const VitAttentionWeights& attention)
{
    if (!attention.queryBias.defined())
        return attention.qkv;
    LayerWeights joined = attention.qkv;
    joined.bias = at::cat({attention.queryBias, at::zeros_like(attention.valueBias), attention.valueBias});
    return joined;
}

at::Tensor runBlock(const VitPass& pass, const VitBlockWeights& block, const at::Tensor& x, int64_t layer)
{
    auto out = BlockRun(pass, block, layer)(x);
    if (pass.pass.isWatched())
        report(pass.pass.observer, "block." + std::to_string(layer), out);
    return out;
}

void packBlock(const VitDescription& description, VitBlockWeights& block, int64_t tokens)
{
    const bool parallel = description.block == VitBlock::Parallel;
    for (VitAttentionWeights& attention : block.attentions) {
        attention.qkv = joinedQkv(attention);
        attention.queryBias = attention.valueBias = at::Tensor();
        attention.scaled = parallel ? contains(attention.scale, {&attention.projection, &block.mlps.front().fc2})
                                    : contains(attention.scale, {&attention.projection});
        for (LayerWeights* layer : {&attention.qkv, &attention.projection})
            packLinear(*layer, tokens);
        for (LayerWeights* norm :
             {&attention.norm, &attention.innerNorm, &attention.queryNorm, &attention.keyNorm})
            packNorm(*norm);
    }
    for (VitMlpWeights& mlp : block.mlps) {
        mlp.scaled = contains(mlp.scale, {&mlp.fc2});
        packMlp(mlp.fc1, mlp.innerNorm, mlp.fc2, tokens);
        packNorm(mlp.norm);
    }
}

}

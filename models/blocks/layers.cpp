#include "models/blocks/layers.h"

#include "core/attention/backend_info.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/base/error.h"

namespace attnscope {

std::string meaning(const AttentionSpec& spec)
{
    if (isExactOverItsKeys(spec) && keySource(spec) == KeySource::Reduced)
        return "softmax over reduced keys";
    return spec.definition().canonical();
}

bool sameMeaning(const AttentionSpec& a, const AttentionSpec& b, int64_t layers)
{
    if ((a.tokens().merges() || b.tokens().merges()) && !(a.tokens() == b.tokens()))
        return false;
    if (!a.isMixed() && !b.isMixed())
        return meaning(a.layer(0)) == meaning(b.layer(0));
    for (int64_t layer = 0; layer < layers; ++layer)
        if (meaning(a.layer(layer)) != meaning(b.layer(layer)))
            return false;
    return true;
}

at::Tensor addBranch(const Pass& pass, const at::Tensor& x, const at::Tensor& y, const LayerWeights& last,
                     const std::string& name, int64_t block, StochasticDepth::Branch branch)
{
    if (pass.isWhole())
        return linearAdded(x, y, last);
    const auto value = linear(y, last);
    report(pass.observer, name, value);
    return x + (pass.depth == nullptr ? value : pass.depth->apply(value, block, branch));
}

FirstLayer firstLayerOf(FirstLayer tokens, const LayerWeights& norm, const LayerWeights& qkv)
{
    const int64_t width = tokens.content.size(-1);
    const auto weight = denseWeight(qkv, width, tokens.content.options()).chunk(3);
    const auto bias =
        (qkv.bias.defined() ? qkv.bias : at::zeros({3 * weight[0].size(0)}, weight[0].options())).chunk(3);
    tokens.normWeight = norm.weight, tokens.normBias = norm.bias;
    tokens.queryWeight = weight[0], tokens.queryBias = bias[0];
    tokens.keyWeight = weight[1], tokens.keyBias = bias[1];
    return tokens;
}

at::Tensor attend(const PreparedAttention& prepared, int64_t layer, const AttentionInput& in,
                  ForwardObserver* observer)
{
    const auto index = size_t(layer);
    if (observer != nullptr)
        observer->beforeAttention(layer);
    auto out = prepared.layers[index]->attend(in, *prepared.noise[index]);
    if (observer != nullptr)
        observer->afterAttention(layer, in, out);
    return out;
}

at::Tensor endOfBlock(const Pass& pass, const at::Tensor& x, const at::Tensor& attended, const BlockEnd& end,
                      int64_t block)
{
    if (pass.isWhole())
        return finishBlock(x, attended, end);
    const std::string name = "block." + std::to_string(block);
    const auto mixed = addBranch(pass, x, attended, end.projection, name + ".attn", block,
                                 StochasticDepth::Branch::Attention);
    const auto hidden = normedLinear(mixed, end.norm, end.eps, end.fc1, end.activation);
    const auto inner = end.innerNorm == nullptr ? hidden : normed(hidden, *end.innerNorm, end.eps);
    const auto out = addBranch(pass, mixed, inner, end.fc2, name + ".mlp", block, StochasticDepth::Branch::Mlp);
    report(pass.observer, name, out);
    return out;
}

PreparedAttention beginPreparation(const Preparation& preparation)
{
    PreparedAttention prepared;
    prepared.requested = preparation.requested;
    prepared.resolved = preparation.requested.resolved(preparation.own, preparation.layers);
    if (prepared.resolved.weights() != WeightStorage::Own && !preparation.storesInt8)
        throw UsageError(prepared.resolved.canonical(), "this family of networks has no layers in 8 bits",
                         "leave out `;weights=` and --weights-dtype");
    prepared.seed = prepared.resolved.seedOr(preparation.seed);
    const bool own = sameMeaning(prepared.resolved, preparation.own, preparation.layers);
    prepared.weights = preparation.weights == WeightsKind::Untrained || own ? preparation.weights
                                                                            : WeightsKind::Swapped;
    if (const TokenSpec& tokens = prepared.resolved.tokens(); tokens.merges())
        prepared.merging = {tokens.schedule(preparation.layers), tokens.order()};
    return prepared;
}

void refuseMerging(const AttentionSpec& spec, const std::string& model, const std::string& why)
{
    if (spec.tokens().merges())
        throw UsageError(
            spec.canonical(), "tokens cannot merge in " + model + ": " + why,
            "leave out `;tokens=`, or merge in a plain vision transformer, such as deit_small_patch16_224");
}

void prepareLayers(PreparedAttention& prepared, int64_t layers, const LayerMaker& make)
{
    for (int64_t layer = 0; layer < layers; ++layer) {
        const auto backend = make(prepared.resolved.layer(layer), layer);
        for (const std::string& note : backend->notes())
            addOnce(prepared.notes, note);
        prepared.deterministic = prepared.deterministic && backend->deterministic();
        prepared.layers.push_back(backend);
        prepared.noise.push_back(std::make_shared<SeededNoise>(backend->spec().seedOr(prepared.seed), layer));
    }
}

bool isOwnedByAttention(std::string_view name)
{
    for (const std::string_view module : {".attn.attn_fn.", ".attn."})
        if (const size_t at = name.find(module);
            at != std::string_view::npos && isLearnedParameter(name.substr(at + module.size())))
            return true;
    return false;
}

}

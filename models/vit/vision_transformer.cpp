// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vision_transformer.h"

#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <cmath>

namespace attnscope {

VisionTransformer::VisionTransformer(Setup setup)
    : Network(std::move(setup))
{
    if (m_execution == Execution::Optimized)
        pack();
    const VitDescription& d = m_description;
    m_summary.family = toText(d.family);
    m_summary.classes = d.classes;
    m_summary.layers = d.depth;
    m_summary.heads = d.heads;
    m_summary.width = d.width;
    m_summary.tokens = d.tokens();
    m_summary.macs = multiplyAdds(prepare(AttentionSpec::native(), 0));
}

void VisionTransformer::pack()
{
    const std::int64_t tokens = m_description.tokens();
    const Transform seen = transform();
    m_pixels = pixelLayer(m_weights.patch, {.stride = m_description.patchSize}, {seen.mean, seen.stddev});
    packPatches(m_weights.patch, tokens);
    for (LayerWeights* head : {&m_weights.head, &m_weights.distillationHead})
        packHead(*head);
    for (VitBlockWeights& block : m_weights.blocks) {
        for (LayerWeights* layer : {&block.qkv, &block.projection, &block.fc1, &block.fc2})
            packLinear(*layer, tokens);
        for (LayerWeights* norm : {&block.norm1, &block.norm2})
            packNorm(*norm);
    }
}

TokenLayout VisionTransformer::layout(std::int64_t rows, std::int64_t columns) const
{
    return {.prefix = m_description.prefixTokens(), .frames = 1, .rows = rows, .columns = columns};
}

PreparedAttention VisionTransformer::prepare(const AttentionSpec& spec, std::uint64_t seed) const
{
    const VitDescription& d = m_description;
    PreparedAttention prepared = beginPreparation({spec, d.attention, d.depth, seed, m_kind});
    refuseReducedKeys(prepared.resolved, d.name);
    prepareLayers(prepared, d.depth, [&](const AttentionSpec& one, std::int64_t layer) {
        return makeBackend(one, {.heads = d.heads,
                                 .width = d.headDim(),
                                 .tokens = layout(d.rows(), d.columns()),
                                 .parameters = m_weights.blocks[static_cast<std::size_t>(layer)].attention});
    });
    return prepared;
}

void VisionTransformer::checkInput(const std::vector<std::int64_t>& shape) const
{
    const std::int64_t patch = m_description.patchSize;
    const bool fits = shape.size() == 3 && shape[0] == 3 && shape[1] >= patch && shape[2] >= patch && shape[1] % patch == 0
                      && shape[2] % patch == 0;
    if (!fits)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_description.name,
                         "it takes 3×height×width with sides that " + std::to_string(patch) + " divides");
    if (shape[1] / patch * (shape[2] / patch) > 1 << 20)
        throw UsageError("", "an input of " + describeShape(shape) + " has more than a million patches", "give a smaller one");
}

at::Tensor VisionTransformer::positionFor(std::int64_t rows, std::int64_t columns) const
{
    if (rows == m_description.rows() && columns == m_description.columns())
        return m_weights.position;
    const auto resize = [&] {
        return resizePositionEmbedding(m_weights.position, m_description.prefixTokens(), m_description.rows(),
                                       m_description.columns(), rows, columns, m_positionRule);
    };
    if (m_weights.position.requires_grad())
        return resize();  // it changes from step to step
    const std::scoped_lock lock(m_positionsMutex);
    at::Tensor& resized = m_positions[{rows, columns}];
    if (!resized.defined())
        resized = resize();
    return resized;
}

at::Tensor VisionTransformer::contentOf(const at::Tensor& input, TokenLayout& tokens,
                                        ForwardObserver* observer) const
{
    const std::int64_t patch = m_description.patchSize;
    const bool pixels = input.scalar_type() == at::kByte;  // (B,H,W,3)
    tokens = layout(input.size(pixels ? 1 : 2) / patch, input.size(pixels ? 2 : 3) / patch);
    const auto x = pixels ? packedWeights::convolution(input, m_pixels)
                          : patchTokens(input, patch, m_weights.patch);  // (B,rows·columns,C)
    report(observer, "patch_embed", x);
    std::vector<at::Tensor> parts;
    for (const at::Tensor* token : {&m_weights.classToken, &m_weights.distillationToken})
        if (token->defined())
            parts.push_back(token->expand({x.size(0), -1, -1}));
    parts.push_back(x);
    return parts.size() > 1 ? at::cat(parts, 1) : x;  // (B,N,C)
}

at::Tensor VisionTransformer::embed(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const
{
    const auto content = contentOf(input, tokens, observer);
    return content + positionFor(tokens.rows, tokens.columns);
}

std::optional<FirstLayer> VisionTransformer::firstLayer(const at::Tensor& input) const
{
    FirstLayer layer{.eps = m_description.layerNormEps, .heads = m_description.heads};
    layer.content = contentOf(input.narrow(0, 0, 1), layer.tokens, nullptr)[0];
    layer.position = positionFor(layer.tokens.rows, layer.tokens.columns)[0];
    const VitBlockWeights& block = m_weights.blocks.front();
    return firstLayerOf(std::move(layer), block.norm1, block.qkv);
}

/// The output of a layer's attention for the tokens x before their norm, without its projection: (B,N,C).
at::Tensor VisionTransformer::attended(const VitBlockWeights& block, const at::Tensor& x, const TokenLayout& tokens,
                                       std::int64_t layer, const PreparedAttention& prepared, ForwardObserver* observer) const
{
    const std::int64_t batch = x.size(0), count = x.size(1), heads = m_description.heads, width = m_description.headDim();
    const auto all = normedLinear(x, block.norm1, m_description.layerNormEps, block.qkv);
    const auto qkv = all.reshape({batch, count, 3, heads, width}).permute({2, 0, 3, 1, 4});  // (3,B,H,N,D)
    AttentionInput in{.q = qkv[0], .k = qkv[1], .v = qkv[2], .scale = 1 / std::sqrt(static_cast<double>(width)), .tokens = tokens};
    const auto out = attend(prepared, layer, in, observer);  // (B,H,N,D)
    return out.transpose(1, 2).reshape({batch, count, heads * width});
}

/// The tokens that the head reads: those before the patches, or all.
at::Tensor VisionTransformer::usedByHead(const at::Tensor& x) const
{
    return m_description.family == VitFamily::Deit ? x.slice(1, 0, m_description.prefixTokens()) : x;
}

Readout VisionTransformer::readNormed(const at::Tensor& normed, const std::vector<LayerWeights>& heads) const
{
    if (m_description.family != VitFamily::Deit) {
        const auto features = normed.mean(1);
        return {features, linear(features, heads.front())};
    }
    const auto features = normed.select(1, 0);
    const auto fromClass = linear(features, heads.front());
    if (!m_description.distilled)
        return {features, fromClass};
    const auto fromDistillation = linear(normed.select(1, 1), heads.back());
    return {features, (fromClass + fromDistillation) / 2};
}

Readout VisionTransformer::readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const
{
    return readNormed(layerNorm(usedByHead(tokens), by.norm, m_description.layerNormEps), by.heads);
}

at::Tensor VisionTransformer::classify(const at::Tensor& x, const Pass& pass) const
{
    // The other tokens are not needed, but may be observed.
    const auto used = pass.isWatched() ? x : usedByHead(x);
    const auto normed = layerNorm(used, m_weights.norm, m_description.layerNormEps);
    report(pass.observer, m_description.family == VitFamily::Deit ? "norm" : "norm_before_pooling", normed);
    return readNormed(normed, readoutOf(m_weights).heads).logits;
}

at::Tensor VisionTransformer::trainingLogits(const at::Tensor& input, const PreparedAttention& prepared, ForwardObserver* observer,
                                             const StochasticDepth* depth) const
{
    TokenLayout tokens;
    const Pass pass{observer, depth};
    auto x = embed(input, tokens, observer);
    for (std::size_t i = 0; i < m_weights.blocks.size(); ++i) {
        const VitBlockWeights& block = m_weights.blocks[i];
        const auto layer = static_cast<std::int64_t>(i);
        const auto mixed = attended(block, x, tokens, layer, prepared, observer);
        x = endOfBlock(pass, x, mixed, {block.projection, block.norm2, block.fc1, block.fc2, m_description.layerNormEps}, layer);
    }
    return classify(x, pass).to(at::kFloat);
}

AttentionShape VisionTransformer::attentionShape(std::int64_t) const
{
    const VitDescription& d = m_description;
    return {.heads = d.heads, .queries = d.tokens(), .keys = d.tokens(), .width = d.headDim(), .valueDim = d.headDim()};
}

ExitCost VisionTransformer::exitCost(const PreparedAttention& prepared) const
{
    ExitCost cost{.head = m_description.headMultiplyAdds()};
    for (std::size_t i = 0; i < prepared.layers.size(); ++i)
        cost.blocks.push_back(m_description.blockMultiplyAdds(m_description.rows() * m_description.columns())
                              + prepared.layers[i]->multiplyAdds(attentionShape(static_cast<std::int64_t>(i))));
    return withEmbedding(std::move(cost), prepared);
}

double VisionTransformer::multiplyAdds(const PreparedAttention& prepared) const
{
    double total = m_description.linearMultiplyAdds(m_description.rows() * m_description.columns());
    for (std::size_t i = 0; i < prepared.layers.size(); ++i)
        total += prepared.layers[i]->multiplyAdds(attentionShape(static_cast<std::int64_t>(i)));
    return total;
}

}  // namespace attnscope

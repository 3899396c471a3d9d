#include "models/pvt/pyramid_vision_transformer.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <cmath>

namespace attnscope {

namespace {

/// Tokens (B,rows·columns,C) as an image (B,C,rows,columns) and back. Neither copies: token-major memory is a channels-last image, which is
/// also the layout in which convolutions with few channels per group are fastest.
at::Tensor asImage(const at::Tensor& x, const TokenLayout& tokens)
{
    return x.reshape({x.size(0), tokens.rows, tokens.columns, x.size(2)}).permute({0, 3, 1, 2});
}

at::Tensor asTokens(const at::Tensor& image)
{
    return image.permute({0, 2, 3, 1}).flatten(1, 2);
}

/// x (B,N,H·D) → (B,H,N,D)
at::Tensor splitHeads(const at::Tensor& x, int64_t heads)
{
    return x.reshape({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

}

struct PyramidVisionTransformer::Layer {
    int64_t index = 0;
    PvtPlace place;
    std::string name;  ///< "block2.0", as the original code names its modules
    TokenLayout tokens;
    const PreparedAttention& prepared;
    Pass pass;
};

namespace {

onednn::ConvolutionForm embeddingForm(size_t stage)
{
    return {.stride = PvtDescription::embeddingStride(stage),
            .padding = PvtDescription::embeddingKernel(stage) / 2};
}

/// The depthwise convolution between the layers of an MLP.
onednn::ConvolutionForm depthwiseForm(int64_t channels)
{
    return {.padding = 1, .groups = channels};
}

}

PyramidVisionTransformer::PyramidVisionTransformer(Setup setup)
    : Network(std::move(setup))
{
    visitWeights(m_weights, m_description, [](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
        if (x.defined() && x.dim() == 4)
            x = x.contiguous(at::MemoryFormat::ChannelsLast);
    });
    if (m_execution == Execution::Optimized)
        pack();
    const PvtDescription& d = m_description;
    const PvtStage& last = d.stages.back();
    m_summary.family = d.family();
    m_summary.classes = d.classes;
    m_summary.layers = d.layers();
    m_summary.heads = last.heads;
    m_summary.width = m_summary.features = last.width;
    m_summary.tokens = d.grids(d.imageHeight, d.imageWidth).front().count();
    for (int64_t layer = 0; layer < d.layers(); ++layer)
        m_summary.layerNames.push_back(d.place(layer).name());
    m_summary.macs = multiplyAdds(prepare(AttentionSpec::native(), 0));
}

void PyramidVisionTransformer::pack()
{
    const auto grids = m_description.grids(m_description.imageHeight, m_description.imageWidth);
    const Transform seen = transform();
    packHead(m_weights.head);
    std::array<int64_t, 4> image{1, 3, m_description.imageHeight, m_description.imageWidth};
    for (size_t s = 0; s < m_weights.stages.size(); ++s) {
        PvtStageWeights& stage = m_weights.stages[s];
        for (LayerWeights* norm : {&stage.embeddingNorm, &stage.norm})
            packNorm(*norm);
        if (canPackNormed(stage.embedding, stage.embeddingNorm)) {
            if (s == 0)
                m_pixels = pixelLayer(stage.embedding, embeddingForm(s), {seen.mean, seen.stddev});
            packNormedConvolution(stage.embedding, embeddingForm(s));
        } else {
            packConvolution(stage.embedding, embeddingForm(s), image);
        }
        const TokenLayout& tokens = grids[s];
        const auto reduced = [&](const PvtBlockWeights& block) { return block.reduction.reduced(tokens).count(); };
        for (PvtBlockWeights& block : stage.blocks) {
            for (LayerWeights* layer : {&block.query, &block.joint, &block.projection, &block.fc1, &block.fc2})
                packLinear(*layer, tokens.count());
            for (LayerWeights* norm : {&block.norm1, &block.norm2})
                packNorm(*norm);
            packLinear(block.keyValue, block.reduction.defined() ? reduced(block) : tokens.count());
            if (block.reduction.defined())
                block.reduction.pack(tokens);
            const int64_t hidden = block.convolution.bias.size(0);
            packDepthwise(block.convolution);
            packConvolution(block.convolution, depthwiseForm(hidden), {1, hidden, tokens.rows, tokens.columns});
        }
        image = {1, m_description.stages[s].width, tokens.rows, tokens.columns};
    }
}

namespace {

/// Where the keys of a network's layers come from: the same for all, or both kinds.
struct KeySources {
    bool all = false, reduced = false;
    bool both() const { return all && reduced; }
};

KeySources keySources(const AttentionSpec& spec, int64_t layers)
{
    KeySources sources;
    for (int64_t layer = 0; layer < layers; ++layer)
        (keySource(spec.layer(layer)) == KeySource::Reduced ? sources.reduced : sources.all) = true;
    return sources;
}

AttentionSpec exactFor(const AttentionSpec& spec, int64_t layers)
{
    std::vector<AttentionSpec> each;
    for (int64_t layer = 0; layer < layers; ++layer)
        each.push_back(exactOver(keySource(spec.layer(layer))));
    return AttentionSpec::perLayer(each);
}

}

WeightsKind PyramidVisionTransformer::kindFor(const AttentionSpec& resolved) const
{
    const AttentionSpec& own = m_description.attention;
    const int64_t layers = m_description.layers();
    if (m_kind == WeightsKind::Untrained || sameMeaning(resolved, own, layers))
        return m_kind;
    for (int64_t layer = 0; layer < layers; ++layer)
        if (keySource(resolved.layer(layer)) != keySource(own.layer(layer)))
            return WeightsKind::Untrained;
    return WeightsKind::Swapped;
}

/// Adds notes about the keys, and sets the exact attention.
void PyramidVisionTransformer::explain(PreparedAttention& prepared) const
{
    if (m_description.form == PvtForm::Joint)
        return;
    const KeySources sources = keySources(prepared.resolved, m_description.layers());
    prepared.exact = exactFor(prepared.resolved, m_description.layers());
    if (sources.both()) {
        prepared.exactMeaning =
            "softmax over the keys that each layer has: all, or those of its spatial reduction (SRA)";
        prepared.notes.emplace_back(
            "layers with keys of all tokens, which drop `sr` and `norm`, alongside layers with reduced keys");
        return;
    }
    if (sources.reduced) {
        prepared.exactMeaning = "softmax over the keys of the network's own spatial reduction (SRA)";
        prepared.notes.emplace_back(
            "keys of the network's own spatial reduction; exact means its softmax over them (SRA)");
        return;
    }
    prepared.notes.emplace_back("keys of all tokens; exact means softmax over them, not this network's own SRA");
    if (keySources(m_description.attention, m_description.layers()).reduced)
        prepared.notes.emplace_back(
            "`sr` and `norm` of the weights are dropped, so cost is meaningful and predictions are not; "
            + (prepared.resolved.isMixed() ? "the option " : prepared.resolved.backend() + ":")
            + "keys=reduced keeps them");
}

std::shared_ptr<AttentionBackend> PyramidVisionTransformer::makeLayer(const AttentionSpec& spec,
                                                                      int64_t layer) const
{
    const PvtPlace place = m_description.place(layer);
    const PvtStage& stage = m_description.stages[place.stage];
    const auto grids = m_description.grids(m_description.imageHeight, m_description.imageWidth);
    const AttentionSpec own = m_description.stageAttention(spec, place.stage);
    try {
        refuseOtherKeys(own, m_description.attentionShape(place.stage, keySource(own)));
        return makeBackend(own, {.heads = stage.heads,
                                 .width = stage.headDim(),
                                 .tokens = grids[place.stage],
                                 .parameters = m_weights.stages[place.stage].blocks[place.block].attention});
    } catch (const UsageError& error) {
        throw UsageError(place.name(), error.what());
    }
}

PreparedAttention PyramidVisionTransformer::prepare(const AttentionSpec& spec, uint64_t seed) const
{
    const PvtDescription& d = m_description;
    PreparedAttention prepared = beginPreparation({spec, d.attention, d.layers(), seed, m_kind, true});
    refuseMerging(prepared.resolved, d.name, "its convolutions need every token in its place in the image");
    if (d.form == PvtForm::Joint)
        refuseReducedKeys(prepared.resolved, d.name);
    else
        d.checkReduction(prepared.resolved);
    prepared.weights = kindFor(prepared.resolved);
    explain(prepared);
    prepareLayers(prepared, d.layers(),
                  [this](const AttentionSpec& one, int64_t layer) { return makeLayer(one, layer); });
    return prepared;
}

void PyramidVisionTransformer::checkInput(const std::vector<int64_t>& shape) const
{
    if (shape.size() != 3 || shape[0] != 3)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_description.name,
                         "it takes 3×height×width");
    m_description.checkImageSize(shape[1], shape[2]);
}

AttentionInput PyramidVisionTransformer::attentionInput(const PvtBlockWeights& block, const at::Tensor& x,
                                                        const Layer& layer) const
{
    const PvtStage& stage = m_description.stages[layer.place.stage];
    AttentionInput in{.scale = 1 / std::sqrt(double(stage.headDim())), .tokens = layer.tokens};
    if (block.joint.defined()) {
        const auto parts =
            normedLinear(x, block.norm1, m_description.blockEps, block.joint).chunk(3, -1);  // 3 × (B,N,C)
        in.q = splitHeads(parts[0], stage.heads);
        in.k = splitHeads(parts[1], stage.heads);
        in.v = splitHeads(parts[2], stage.heads);
        return in;
    }
    const bool reduces = keySource(layer.prepared.resolved.layer(layer.index)) == KeySource::Reduced
                         && block.reduction.defined();
    if (reduces)
        in.keyTokens = block.reduction.reduced(layer.tokens);
    const auto tokens = normed(x, block.norm1, m_description.blockEps);
    const auto keysFrom = reduces ? block.reduction.apply(tokens, layer.tokens) : tokens;  // (B,M,C)
    const auto parts = linear(keysFrom, block.keyValue).chunk(2, -1);
    in.q = splitHeads(linear(tokens, block.query), stage.heads);
    in.k = splitHeads(parts[0], stage.heads);
    in.v = splitHeads(parts[1], stage.heads);
    return in;
}

at::Tensor PyramidVisionTransformer::attended(const PvtBlockWeights& block, const at::Tensor& x,
                                              const Layer& layer) const
{
    const AttentionInput in = attentionInput(block, x, layer);
    at::Tensor out;
    try {
        out = attend(layer.prepared, layer.index, in, layer.pass.observer);  // (B,H,N,D)
    } catch (const UsageError& error) {
        throw UsageError(layer.place.name(), error.what());
    }
    return out.transpose(1, 2).flatten(2);
}

/// The input of the MLP's last layer, for tokens x before their norm: (B,N,hidden).
at::Tensor PyramidVisionTransformer::mixed(const PvtBlockWeights& block, const at::Tensor& x,
                                           const Layer& layer) const
{
    auto hidden = normedLinear(x, block.norm2, m_description.blockEps, block.fc1);  // (B,N,hidden)
    if (m_description.linear)
        hidden = at::relu(hidden);
    const auto image = asImage(hidden, layer.tokens);
    return asTokens(convolutionGelu(image, block.convolution, depthwiseForm(image.size(1))));
}

at::Tensor PyramidVisionTransformer::runBlock(const PvtBlockWeights& block, at::Tensor x, const Layer& layer) const
{
    x = addBranch(layer.pass, x, attended(block, x, layer), block.projection, layer.name + ".attn", layer.index,
                  StochasticDepth::Branch::Attention);
    if (layer.pass.isWhole() && !m_description.linear)
        return imageMlp(x, {block.norm2, block.fc1, block.convolution, block.fc2, m_description.blockEps,
                            layer.tokens.rows, layer.tokens.columns});
    x = addBranch(layer.pass, x, mixed(block, x, layer), block.fc2, layer.name + ".mlp", layer.index,
                  StochasticDepth::Branch::Mlp);
    report(layer.pass.observer, layer.name, x);
    return x;
}

at::Tensor PyramidVisionTransformer::trainingLogits(const at::Tensor& input, const PreparedAttention& prepared,
                                                    ForwardObserver* observer, const StochasticDepth* depth) const
{
    const bool pixels = input.scalar_type() == at::kByte;                                  // (B,H,W,3)
    auto x = pixels ? input : asTokens(input.contiguous(at::MemoryFormat::ChannelsLast));  // (B,H·W,3)
    int64_t rows = input.size(pixels ? 1 : 2);
    const auto grids = m_description.grids(rows, input.size(pixels ? 2 : 3));
    Layer layer{.prepared = prepared, .pass = {observer, depth}};
    const PvtWeights& weights = weightsFor(prepared);
    for (size_t s = 0; s < weights.stages.size(); ++s) {
        const PvtStageWeights& stage = weights.stages[s];
        const std::string number = std::to_string(s + 1);
        x = pixels && s == 0 ? packedWeights::normedConvolution(input, m_pixels, stage.embeddingNorm.packedWeights,
                                                                m_description.embeddingEps)
                             : normedConvolution(x, rows, stage.embedding, stage.embeddingNorm,
                                                 m_description.embeddingEps, embeddingForm(s));
        layer.tokens = grids[s];
        rows = layer.tokens.rows;
        report(observer, "patch_embed" + number, x);
        for (size_t i = 0; i < stage.blocks.size(); ++i) {
            layer.place = {s, i};
            layer.name = "block" + number + "." + std::to_string(i);
            x = runBlock(stage.blocks[i], x, layer);
            ++layer.index;
        }
        x = normed(x, stage.norm, m_description.blockEps);
        report(observer, "norm" + number, x);
    }
    const auto features = x.mean(1);  // (B,C)
    return (m_weights.head.defined() ? linear(features, m_weights.head) : features).to(at::kFloat);
}

std::vector<std::string> PyramidVisionTransformer::readableBlocks() const
{
    return blockNames("block" + std::to_string(m_weights.stages.size()) + ".", int64_t(readableCount(m_weights)));
}

Readout PyramidVisionTransformer::readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const
{
    const auto features = normed(tokens, by.norm, m_description.blockEps).mean(1);  // (B,C)
    const LayerWeights& head = by.heads.front();
    return {features, head.defined() ? linear(features, head) : at::Tensor()};
}

ExitCost PyramidVisionTransformer::exitCost(const PreparedAttention& prepared) const
{
    const PvtStage& last = m_description.stages.back();
    ExitCost cost{.head = double(last.width) * double(m_description.classes)};
    for (size_t i = prepared.layers.size() - readableCount(m_weights); i < prepared.layers.size(); ++i)
        cost.blocks.push_back(m_description.blockMultiplyAdds(int64_t(i), prepared.resolved, *prepared.layers[i]));
    return withEmbedding(std::move(cost), prepared);
}

std::optional<OutputTokens> PyramidVisionTransformer::outputTokens(const std::vector<int64_t>& shape) const
{
    return OutputTokens{m_description.grids(shape.at(1), shape.at(2)).back()};
}

AttentionShape PyramidVisionTransformer::attentionShape(int64_t layer) const
{
    return m_description.attentionShape(m_description.place(layer).stage,
                                        keySource(m_description.attention.layer(layer)));
}

double PyramidVisionTransformer::multiplyAdds(const PreparedAttention& prepared) const
{
    return m_description.multiplyAdds(prepared.resolved, prepared.layers);
}

}

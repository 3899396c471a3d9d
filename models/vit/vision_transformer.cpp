#include "models/vit/vision_transformer.h"

#include "core/attention/backend_info.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "models/vit/vit_merging.h"
#include "models/vit/vit_pooling.h"
#include "models/vit/vit_relative.h"

#include <numeric>
#include <utility>

namespace attnscope {

VisionTransformer::VisionTransformer(Setup setup)
    : VisionTransformer(setup.weights.frequencies, std::move(setup))
{}

VisionTransformer::VisionTransformer(at::Tensor frequencies, Setup&& setup)
    : Network(std::move(setup))
{
    if (frequencies.defined() && m_dtype != at::kDouble)
        m_weights.frequencies = frequencies.to(
            m_device);  // angles are computed wide: of rounded ones they would be others
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
    const VitDescription& d = m_description;
    const int64_t tokens = d.tokens();
    const Transform seen = transform();
    m_pixels = pixelLayer(m_weights.patch, {.stride = d.patchSize}, {seen.mean, seen.stddev});
    packPatches(m_weights.patch, tokens);
    for (LayerWeights* head : {&m_weights.head, &m_weights.distillationHead})
        packHead(*head);
    for (LayerWeights* norm : {&m_weights.patchNorm, &m_weights.preNorm})
        packNorm(*norm);
    packPool(m_weights.pool, tokens);
    for (VitBlockWeights& block : m_weights.blocks)
        packBlock(d, block, tokens);
}

TokenLayout VisionTransformer::layout(int64_t rows, int64_t columns) const
{
    return {.prefix = m_description.prefixTokens(), .frames = 1, .rows = rows, .columns = columns};
}

PreparedAttention VisionTransformer::prepare(const AttentionSpec& spec, uint64_t seed) const
{
    const VitDescription& d = m_description;
    PreparedAttention prepared = beginPreparation({spec, d.attention, d.depth, seed, m_kind, true});
    refuseReducedKeys(prepared.resolved, d.name);
    checkMerging(d, prepared);
    prepareLayers(prepared, d.depth, [&](const AttentionSpec& one, int64_t layer) {
        BackendContext context{.heads = d.heads,
                               .width = d.headDim(),
                               .tokens = layout(d.rows(), d.columns()),
                               .parameters = m_weights.blocks[size_t(layer)].attention};
        if (!prepared.merging.mergesBefore(layer))
            return makeBackend(one, context);
        context.tokens = {.prefix = d.prefixTokens()};
        return makeBehindMerging(one, context, prepared.resolved);
    });
    noteWhatIsLeftOut(prepared);
    return prepared;
}

void VisionTransformer::noteWhatIsLeftOut(PreparedAttention& prepared) const
{
    for (const auto& layer : prepared.layers) {
        const BackendInfo& info = *findBackend(layer->spec().backend());
        if (m_description.relative && !info.takesBias)
            addOnce(prepared.notes, "the network's relative position biases have no place in " + info.name
                                        + " and are left out, which is part of its error");
        if (m_description.rope && info.landmarks)
            addOnce(prepared.notes, "landmarks of " + info.name
                                        + " are made of queries and keys that rotary positions have turned");
    }
}

void VisionTransformer::checkInput(const std::vector<int64_t>& shape) const
{
    const int64_t patch = m_description.patchSize;
    const bool own = shape == std::vector<int64_t>{3, m_description.imageHeight, m_description.imageWidth};
    const bool fits = own
                      || (shape.size() == 3 && shape[0] == 3 && shape[1] >= patch && shape[2] >= patch
                          && shape[1] % patch == 0 && shape[2] % patch == 0);
    if (!fits)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_description.name,
                         "it takes 3×height×width with sides that " + std::to_string(patch) + " divides");
    if (shape[1] / patch * (shape[2] / patch) > 1 << 20)
        throw UsageError("", "an input of " + describeShape(shape) + " has more than a million patches",
                         "give a smaller one");
    if (!own && m_description.relative && m_description.relative->kind == VitRelativePositions::Kind::Table)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_description.name,
                         "its tables of relative positions are for "
                             + describeShape({m_description.imageHeight, m_description.imageWidth})
                             + " pixels alone");
}

/// (1,N,C), with zeros for a prefix that has no positions.
at::Tensor VisionTransformer::positionFor(int64_t rows, int64_t columns) const
{
    const VitDescription& d = m_description;
    const PositionRule rule = m_positionRule == PositionRule::Own ? d.positionRule : m_positionRule;
    const auto stored = resizePositionEmbedding(m_weights.position, d.positionPrefix(), d.rows(), d.columns(),
                                                rows, columns, rule);
    const int64_t bare = d.prefixTokens() - d.positionPrefix();
    return bare == 0 ? stored : at::constant_pad_nd(stored, {0, 0, bare, 0});
}

VisionTransformer::Places VisionTransformer::placesFor(const TokenLayout& tokens) const
{
    const VitDescription& d = m_description;
    const auto make = [&] {
        Places places;
        if (m_weights.position.defined())
            places.position = positionFor(tokens.rows, tokens.columns);
        if (d.rope)
            places.turns = turnsOf(d, m_weights.frequencies, tokens.rows, tokens.columns,
                                   m_weights.blocks.front().attentions.front().norm.weight);
        if (d.relative)
            places.offsets = offsetRows(tokens.rows, tokens.columns, m_device);
        return places;
    };
    const auto learns = [](const at::Tensor& weight) { return weight.defined() && weight.requires_grad(); };
    if (learns(m_weights.position) || learns(m_weights.frequencies))
        return make();                       // they change from step to step
    const c10::InferenceMode usable(false);  // kept for passes that learn as well
    const at::NoGradGuard guard;
    const std::scoped_lock lock(m_placesMutex);
    const auto [found, isNew] = m_places.try_emplace({tokens.rows, tokens.columns});
    if (isNew)
        found->second = make();
    return found->second;
}

at::Tensor VisionTransformer::contentOf(const at::Tensor& input, TokenLayout& tokens,
                                        ForwardObserver* observer) const
{
    const int64_t patch = m_description.patchSize;
    const bool pixels = input.scalar_type() == at::kByte;  // (B,H,W,3)
    tokens = layout(input.size(pixels ? 1 : 2) / patch, input.size(pixels ? 2 : 3) / patch);
    const int64_t down = pixels ? 1 : 2;  // what the last patches do not reach is not seen
    const auto seen = input.narrow(down, 0, tokens.rows * patch).narrow(down + 1, 0, tokens.columns * patch);
    auto x = pixels ? packedWeights::convolution(seen, m_pixels)
                    : patchTokens(seen, patch, m_weights.patch);  // (B,rows·columns,C)
    if (m_description.patchNorm)
        x = normed(x, m_weights.patchNorm, m_description.layerNormEps);
    report(observer, "patch_embed", x);
    std::vector<at::Tensor> parts;
    for (const at::Tensor* token : {&m_weights.classToken, &m_weights.distillationToken, &m_weights.registers})
        if (token->defined())
            parts.push_back(token->expand({x.size(0), -1, -1}));
    parts.push_back(x);
    return parts.size() > 1 ? at::cat(parts, 1) : x;  // (B,N,C)
}

std::optional<FirstLayer> VisionTransformer::firstLayer(const at::Tensor& input) const
{
    const VitDescription& d = m_description;
    const bool linear = d.positions == VitPositions::Learned && !d.preNorm && d.norm == VitNorm::Layer
                        && d.block == VitBlock::Pre && !d.queryKeyNorm && !d.rope && !d.relative && !d.differential
                        && d.keyHeads.empty();
    if (!linear)
        return std::nullopt;
    FirstLayer layer{.eps = d.layerNormEps, .heads = d.heads};
    layer.content = contentOf(input.narrow(0, 0, 1), layer.tokens, nullptr)[0];
    layer.position = placesFor(layer.tokens).position[0];
    const VitAttentionWeights& attention = m_weights.blocks.front().attentions.front();
    return firstLayerOf(std::move(layer), attention.norm, joinedQkv(attention));
}

Readout VisionTransformer::readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const
{
    const auto used = normedForPool(m_description, usedByPool(m_description, tokens), by.norm);
    return pooledReadout(m_description, m_weights.pool, used, false, by);
}

at::Tensor VisionTransformer::classify(const at::Tensor& x, const Pass& pass) const
{
    const ReadoutWeights by = readoutOf(m_weights);
    // The other tokens are not needed, but may be observed.
    const bool whole = pass.isWatched();
    const auto normed = normedForPool(m_description, whole ? x : usedByPool(m_description, x), by.norm);
    if (m_description.finalNorm)
        report(pass.observer, m_description.family == VitFamily::Evit ? "norm_before_pooling" : "norm", normed);
    const Readout readout = pooledReadout(m_description, m_weights.pool, normed, whole, by);
    return readout.logits.defined() ? readout.logits : readout.features;
}

at::Tensor VisionTransformer::trainingLogits(const at::Tensor& input, const PreparedAttention& prepared,
                                             ForwardObserver* observer, const StochasticDepth* depth) const
{
    const VitDescription& d = m_description;
    VitPass run{.description = d,
                .prepared = prepared,
                .pass = {observer, depth},
                .tokens = {},
                .turns = {},
                .offsets = {},
                .sharedBias = {}};
    auto x = contentOf(input, run.tokens, observer);
    const Places places = placesFor(run.tokens);
    run.turns = places.turns, run.offsets = places.offsets;
    if (d.relative && d.relative->shared)
        run.sharedBias = relativeBias(d, m_weights.relative, run.tokens, run.offsets);
    if (places.position.defined())
        x = x + places.position;
    if (d.preNorm)
        x = normed(x, m_weights.preNorm, d.layerNormEps);
    report(observer, "embed", x);
    TokenMerger merger(prepared.merging, run.tokens);
    UnmergingObserver unmerging(observer, merger);
    if (prepared.merging.merges()) {
        run.merger = &merger;
        if (observer != nullptr)
            run.pass.observer = &unmerging;
    }
    const std::vector<VitBlockWeights>& blocks = weightsFor(prepared).blocks;
    for (size_t i = 0; i < blocks.size(); ++i)
        x = runBlock(run, blocks[i], x, int64_t(i));
    if (d.pool != VitPool::Token)
        x = merger.unmerged(x);  // means over patches count a merged token as often as it stands for one
    return classify(x, run.pass).to(at::kFloat);
}

AttentionShape VisionTransformer::attentionShape(int64_t) const
{
    const VitDescription& d = m_description;
    return {.heads = d.attentions() * d.heads,
            .queries = d.tokens(),
            .keys = d.tokens(),
            .width = d.headDim(),
            .valueDim = d.valueDim()};
}

ExitCost VisionTransformer::exitCost(const PreparedAttention& prepared) const
{
    const double head = m_description.headMultiplyAdds(m_description.rows() * m_description.columns());
    return withEmbedding({.blocks = blockCosts(prepared), .head = head}, prepared);
}

/// Multiply-adds of each block with its attention and the matching of tokens that merge.
std::vector<double> VisionTransformer::blockCosts(const PreparedAttention& prepared) const
{
    const VitDescription& d = m_description;
    const std::vector<int64_t> left = prepared.merging.tokensOf(d.depth, d.tokens(), d.prefixTokens());
    std::vector<double> costs;
    for (size_t i = 0; i < prepared.layers.size(); ++i) {
        const auto layer = int64_t(i);
        AttentionShape shape = attentionShape(layer);
        shape.queries = shape.keys = left[i];
        const int64_t behind = d.block == VitBlock::Parallel ? left[i] : left[i + 1];
        costs.push_back(d.blockMultiplyAdds(layer, {.attention = left[i], .mlp = behind})
                        + prepared.layers[i]->multiplyAdds(shape)
                        + matchingMultiplyAdds(left[i], d.prefixTokens(), left[i] - left[i + 1], d.headDim()));
    }
    return costs;
}

double VisionTransformer::multiplyAdds(const PreparedAttention& prepared) const
{
    const std::vector<double> blocks = blockCosts(prepared);
    return std::accumulate(blocks.begin(), blocks.end(),
                           m_description.outsideMultiplyAdds(m_description.rows() * m_description.columns()));
}

}

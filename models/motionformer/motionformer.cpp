#include "models/motionformer/motionformer.h"

#include "core/attention/methods/softmax.h"
#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/format.h"

#include <cmath>

namespace attnscope {

namespace {

/// (B,H,N,D) → (B,N,H·D).
at::Tensor merged(const at::Tensor& heads)
{
    return heads.transpose(1, 2).flatten(2);
}

/// The class token's exact attention over all keys: qkv (3,B,H,1+S,D) → (B,1,C).
at::Tensor classRow(const at::Tensor& qkv, double scale)
{
    return merged(fusedSoftmaxAttention(qkv[0].slice(2, 0, 1), qkv[1], qkv[2], scale));
}

/// Prepends the class token to each group: x (B,H,1+S,D), groups (B·G,H,n,D) of it → (B·G,H,1+n,D).
at::Tensor withClassToken(const at::Tensor& x, const at::Tensor& groups)
{
    const auto batch = x.size(0), count = groups.size(0) / batch;
    const auto token = x.slice(2, 0, 1).unsqueeze(1).expand({batch, count, -1, -1, -1}).flatten(0, 1);
    return at::cat({token, groups}, 2);
}

}

struct Motionformer::Layer {
    const MotionformerBlockWeights& weights;
    const PreparedAttention& prepared;
    int64_t index;
    TokenVolume volume;
    ForwardObserver* observer;

    at::Tensor attend(const AttentionInput& in) const { return attnscope::attend(prepared, index, in, observer); }
};

Motionformer::Motionformer(Setup setup)
    : Network(std::move(setup))
{
    const MotionformerDescription& d = m_description;
    if (m_execution == Execution::Optimized)
        pack();
    m_summary.family = "motionformer";
    m_summary.input = {3, d.frames, d.imageHeight, d.imageWidth};
    m_summary.classes = d.classes();
    m_summary.frameInterval = d.frameInterval;
    m_summary.layers = d.depth;
    m_summary.heads = d.heads;
    m_summary.width = d.width;
    m_summary.tokens = d.tokens();
    if (d.classifierHeads.size() > 1) {
        m_summary.classifierHeads = d.classifierHeads;
        m_summary.load.notes.push_back(
            "two heads: the first " + std::to_string(d.classifierHeads[0])
            + " classes are verbs, the others nouns; each head has its own probabilities");
    }
    m_summary.macs = m_description.multiplyAdds(Counting::Computed);
}

void Motionformer::pack()
{
    const int64_t tokens = m_description.tokens();
    packLinear(m_weights.patch, tokens);
    packHead(m_weights.preLogits);
    for (LayerWeights& head : m_weights.heads)
        packHead(head);
    for (MotionformerBlockWeights& block : m_weights.blocks) {
        for (LayerWeights* layer : {&block.qkv, &block.projection, &block.fc1, &block.fc2, &block.temporal.query,
                                    &block.timeQkv, &block.timeProjection})
            packLinear(*layer, tokens);
        for (LayerWeights* norm : {&block.norm1, &block.norm2, &block.norm3})
            packNorm(*norm);
    }
}

Transform Motionformer::transform() const
{
    Transform transform = Network::transform();
    transform.filter = ResizeFilter::Bilinear;
    transform.mean.fill(0.5f);
    transform.stddev.fill(0.5f);
    return transform;
}

double Motionformer::scale() const
{
    return 1 / std::sqrt(double(m_description.headDim()));
}

PreparedAttention Motionformer::prepare(const AttentionSpec& spec, uint64_t seed) const
{
    PreparedAttention prepared = beginPreparation(
        {spec, m_description.attention, m_description.depth, seed, m_kind, true});
    refuseReducedKeys(prepared.resolved, m_description.name);
    refuseMerging(prepared.resolved, m_description.name,
                  "its attention needs equally many tokens in every frame, and its positions a grid");
    if (m_description.spaceTime != SpaceTime::Joint) {
        prepared.notes.push_back("attention measurements cover what a backend replaces: "
                                 + m_description.replaced());
        prepared.exactMeaning = "softmax over the keys of each frame";
    }
    prepareLayers(prepared, m_description.depth, [&](const AttentionSpec& one, int64_t layer) {
        refuseOtherKeys(one, attentionShape(layer));
        BackendContext context = m_description.context();
        context.parameters = m_weights.blocks[size_t(layer)].attention;
        return makeBackend(one, context);
    });
    if (m_description.spaceTime == SpaceTime::Trajectory) {
        const double published = m_description.multiplyAdds(prepared.layers, Counting::Published);
        prepared.notes.push_back(
            "multiply-adds are for one view without `proj_kv`, which the temporal step absorbs; as published "
            "there are "
            + formatQuantity(published - multiplyAdds(prepared)).text() + " more");
    }
    return prepared;
}

void Motionformer::checkInput(const std::vector<int64_t>& shape) const
{
    const int64_t patch = m_description.patchSize, tubelet = m_description.tubelet;
    const bool fits = shape.size() == 4 && shape[0] == 3 && shape[1] >= tubelet && shape[1] % tubelet == 0
                      && shape[2] >= patch && shape[2] % patch == 0 && shape[3] >= patch && shape[3] % patch == 0;
    if (!fits)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_description.name,
                         "it takes 3×frames×height×width with frames that " + std::to_string(tubelet)
                             + " divides and sides that " + std::to_string(patch) + " divides");
    if (shape[1] / tubelet * (shape[2] / patch) * (shape[3] / patch) > 1 << 20)
        throw UsageError("", "an input of " + describeShape(shape) + " has more than a million patches",
                         "give a smaller one");
}

at::Tensor Motionformer::positionFor(const TokenVolume& volume) const
{
    if (m_weights.position.space.requires_grad())
        return m_weights.position.of(volume);  // it changes from step to step
    const std::scoped_lock lock(m_positionsMutex);
    at::Tensor& position = m_positions[volume];
    if (!position.defined())
        position = m_weights.position.of(volume);
    return position;
}

at::Tensor Motionformer::contentOf(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const
{
    const int64_t patch = m_description.patchSize, tubelet = m_description.tubelet;
    volume = {input.size(2) / tubelet, input.size(3) / patch, input.size(4) / patch};
    // A convolution whose stride equals its kernel is a linear map of tubelets: (B,3,T',tubelet,rows,patch,columns,patch).
    const auto cut = input.unflatten(4, {volume.columns, patch})
                         .unflatten(3, {volume.rows, patch})
                         .unflatten(2, {volume.times, tubelet});
    const auto tubelets =
        cut.permute({0, 2, 4, 6, 1, 3, 5, 7}).flatten(4).flatten(1, 3);  // (B,S,3·tubelet·patch²)
    const auto tokens = linear(tubelets, m_weights.patch);
    report(observer, "patch_embed_3d", tokens);
    return at::cat({m_weights.classToken.expand({input.size(0), -1, -1}), tokens}, 1);
}

at::Tensor Motionformer::embed(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const
{
    const auto content = contentOf(input, volume, observer);
    return content + positionFor(volume);
}

std::optional<FirstLayer> Motionformer::firstLayer(const at::Tensor& input) const
{
    if (m_description.spaceTime == SpaceTime::Divided)
        return {};
    const bool joint = m_description.spaceTime == SpaceTime::Joint;
    TokenVolume volume;
    FirstLayer layer{.eps = m_description.layerNormEps, .heads = m_description.heads};
    const int64_t first = joint ? 0 : 1;
    layer.content = contentOf(input.narrow(0, 0, 1), volume, nullptr)[0].slice(0, first);
    layer.position = positionFor(volume)[0].slice(0, first);
    layer.tokens = {joint ? 1 : 0, volume.times, volume.rows, volume.columns};
    layer.keyGroups = joint ? 1 : volume.times;
    const MotionformerBlockWeights& block = m_weights.blocks.front();
    return firstLayerOf(std::move(layer), block.norm1, block.qkv);
}

at::Tensor Motionformer::split(const at::Tensor& x, const LayerWeights& norm, const LayerWeights& qkv) const
{
    return normedLinear(x, norm, m_description.layerNormEps, qkv)
        .unflatten(2, {3, m_description.heads, m_description.headDim()})
        .permute({2, 0, 3, 1, 4});  // (3,B,H,1+S,D)
}

at::Tensor Motionformer::joint(const at::Tensor& qkv, const Layer& layer) const
{
    AttentionInput in{.q = qkv[0], .k = qkv[1], .v = qkv[2], .scale = scale()};
    in.tokens = {1, layer.volume.times, layer.volume.rows, layer.volume.columns};
    return merged(layer.attend(in));
}

at::Tensor Motionformer::trajectory(const at::Tensor& qkv, const Layer& layer) const
{
    const auto patches = qkv.slice(3, 1);
    AttentionInput in{.q = patches[0], .k = patches[1], .v = patches[2], .scale = scale()};
    in.tokens = {0, layer.volume.times, layer.volume.rows, layer.volume.columns};
    in.keyGroups = layer.volume.times;
    auto perFrame = layer.attend(in);  // (B,H,S,T',D), or (B,H,S,D) for a single frame
    if (in.keyGroups == 1)
        perFrame = perFrame.unsqueeze(3);
    const auto x = perFrame.permute({0, 2, 3, 1, 4}).flatten(3);  // (B,S,T',C)
    return at::cat({classRow(qkv, scale()), temporalStep(x, m_description.heads, layer.weights.temporal)}, 1);
}

/// Each frame's patches attend to the patches of that frame and to the class token.
at::Tensor Motionformer::space(const at::Tensor& qkv, const Layer& layer) const
{
    const TokenVolume& volume = layer.volume;
    const auto frames = [&](int64_t which) {  // (B·T',H,P,D)
        return qkv[which].slice(2, 1).unflatten(2, {volume.times, -1}).transpose(1, 2).flatten(0, 1);
    };
    AttentionInput in{.q = frames(0),
                      .k = withClassToken(qkv[1], frames(1)),
                      .v = withClassToken(qkv[2], frames(2)),
                      .scale = scale()};
    in.tokens = {0, 1, volume.rows, volume.columns};
    in.keyTokens = {1, 1, volume.rows, volume.columns};
    const auto out = merged(layer.attend(in)).unflatten(0, {-1, volume.times}).flatten(1, 2);  // (B,S,C)
    return at::cat({classRow(qkv, scale()), out}, 1);
}

/// The patches at each position attend to that position at all times and to the class token; exact, whatever the backend. Before the
/// projection.
at::Tensor Motionformer::time(const at::Tensor& x, const Layer& layer) const
{
    const auto qkv = split(x, layer.weights.norm3, layer.weights.timeQkv);
    const int64_t places = layer.volume.places();
    const auto lines = [&](int64_t which) {  // (B·P,H,T',D)
        return qkv[which]
            .slice(2, 1)
            .unflatten(2, {layer.volume.times, -1})
            .permute({0, 3, 1, 2, 4})
            .flatten(0, 1);
    };
    const auto out = fusedSoftmaxAttention(lines(0), withClassToken(qkv[1], lines(1)),
                                           withClassToken(qkv[2], lines(2)), scale());
    const auto tokens =
        merged(out).unflatten(0, {-1, places}).transpose(1, 2).flatten(1, 2);  // (B·P,T',C) → (B,S,C)
    return at::cat({classRow(qkv, scale()), tokens}, 1);
}

at::Tensor Motionformer::attended(const at::Tensor& x, const Layer& layer) const
{
    const auto qkv = split(x, layer.weights.norm1, layer.weights.qkv);
    return m_description.spaceTime == SpaceTime::Joint     ? joint(qkv, layer)
           : m_description.spaceTime == SpaceTime::Divided ? space(qkv, layer)
                                                           : trajectory(qkv, layer);
}

/// features (B,C) of the class token → (B,classes).
at::Tensor Motionformer::headLogits(at::Tensor features, const std::vector<LayerWeights>& heads,
                                    ForwardObserver* observer) const
{
    if (m_description.preLogits) {
        features = linear(features, m_weights.preLogits).tanh();
        report(observer, "pre_logits", features);
    }
    std::vector<at::Tensor> logits;
    for (const LayerWeights& head : heads)
        logits.push_back(linear(features, head));
    return at::cat(logits, 1);
}

Readout Motionformer::readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const
{
    const auto features = normed(tokens.slice(1, 0, 1), by.norm, m_description.layerNormEps).select(1, 0);
    return {features, headLogits(features, by.heads, nullptr)};
}

std::optional<OutputTokens> Motionformer::outputTokens(const std::vector<int64_t>& shape) const
{
    const int64_t patch = m_description.patchSize;
    return OutputTokens{{1, shape.at(1) / m_description.tubelet, shape.at(2) / patch, shape.at(3) / patch}, true};
}

at::Tensor Motionformer::classify(const at::Tensor& x, ForwardObserver* observer) const
{
    const auto tokens = normed(x, m_weights.norm, m_description.layerNormEps);
    report(observer, "norm", tokens);
    return headLogits(tokens.select(1, 0), m_weights.heads, observer);
}

at::Tensor Motionformer::trainingLogits(const at::Tensor& input, const PreparedAttention& prepared,
                                        ForwardObserver* observer, const StochasticDepth* depth) const
{
    TokenVolume volume;
    const Pass pass{observer, depth};
    auto x = embed(input, volume, observer);
    const std::vector<MotionformerBlockWeights>& blocks = weightsFor(prepared).blocks;
    for (size_t i = 0; i < blocks.size(); ++i) {
        const MotionformerBlockWeights& block = blocks[i];
        const Layer layer{block, prepared, int64_t(i), volume, observer};
        if (m_description.spaceTime == SpaceTime::Divided)
            x = linearAdded(x, time(x, layer), block.timeProjection);
        const auto mixed = attended(x, layer);
        x = endOfBlock(pass, x, mixed,
                       {block.projection, block.norm2, block.fc1, block.fc2, m_description.layerNormEps},
                       layer.index);
    }
    const auto logits = classify(x, observer);
    return logits.scalar_type() == at::kDouble ? logits : logits.to(at::kFloat);
}

double Motionformer::multiplyAdds(const PreparedAttention& prepared) const
{
    return m_description.multiplyAdds(prepared.layers, Counting::Computed);
}

ExitCost Motionformer::exitCost(const PreparedAttention& prepared) const
{
    ExitCost cost{.head = m_description.headMultiplyAdds()};
    for (const auto& backend : prepared.layers)
        cost.blocks.push_back(m_description.blockMultiplyAdds(*backend, Counting::Computed));
    return withEmbedding(std::move(cost), prepared);
}

}

#include "tests/samples/family/patch_mixer.h"

#include "core/attention/methods/spatial_reduction.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <cmath>

namespace attnscope {

namespace {

constexpr double normEps = 1e-6;

}

void visitWeights(PatchMixerWeights& w, const PatchMixerDescription& d, const WeightVisitor& visit)
{
    visitLayer(visit, "mixer.patch", {d.width, 3, d.patchSize, d.patchSize}, w.patch);
    visit("mixer.position", {1, d.tokens(), d.width}, w.position);
    for (size_t i = 0; i < w.blocks.size(); ++i) {
        const std::string prefix = "mixer.blocks." + std::to_string(i) + ".";
        visitLayer(visit, prefix + "norm", {d.width}, w.blocks[i].norm);
        visitLayer(visit, prefix + "attn.qkv", {3 * d.width, d.width}, w.blocks[i].qkv);
        visitLayer(visit, prefix + "attn.proj", {d.width, d.width}, w.blocks[i].projection);
        visitAttention(visit, prefix + "attn.", w.blocks[i].attention);
    }
    visitLayer(visit, "mixer.norm", {d.width}, w.norm);
    visitLayer(visit, "head", {d.classes, d.width}, w.head);
}

PatchMixerWeights makePatchMixerWeights(const PatchMixerDescription& d, const TensorMaker& make)
{
    PatchMixerWeights w;
    w.blocks.resize(size_t(d.depth));
    visitWeights(w, d, [&](const std::string& name, const std::vector<int64_t>& shape, at::Tensor& x) {
        x = make(name, shape);
    });
    return w;
}

PatchMixer::PatchMixer(Setup setup)
    : m_setup(std::move(setup))
{
    const PatchMixerDescription& d = m_setup.description;
    visitWeights(m_setup.weights, d, [&](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
        x = x.to(m_setup.device, m_setup.dtype);
        m_weightBytes += int64_t(x.nbytes());
    });
    m_summary.name = d.name;
    m_summary.family = "patch_mixer";
    m_summary.parameters = d.parameters();
    m_summary.input = {3, d.imageSize, d.imageSize};
    m_summary.classes = d.classes;
    m_summary.layers = d.depth;
    m_summary.heads = d.heads;
    m_summary.width = d.width;
    m_summary.tokens = d.tokens();
    m_summary.nativeAttention = d.attention.canonical();
    m_summary.weightsSource = m_setup.source;
    m_summary.weights = m_setup.kind;
    m_summary.load = m_setup.report;
    m_summary.macs = multiplyAdds(prepare(AttentionSpec::native(), 0));
}

Transform PatchMixer::transform() const
{
    Transform transform;
    transform.resize = m_setup.description.evaluationResize;
    transform.cropHeight = transform.cropWidth = m_setup.description.imageSize;
    return transform;
}

TokenLayout PatchMixer::tokens() const
{
    return {.prefix = 0, .frames = 1, .rows = m_setup.description.side(), .columns = m_setup.description.side()};
}

PreparedAttention PatchMixer::prepare(const AttentionSpec& spec, uint64_t seed) const
{
    const PatchMixerDescription& d = m_setup.description;
    PreparedAttention prepared = beginPreparation({spec, d.attention, d.depth, seed, m_setup.kind});
    refuseReducedKeys(prepared.resolved, d.name);
    prepareLayers(prepared, d.depth, [&](const AttentionSpec& one, int64_t layer) {
        return makeBackend(one, {d.heads, d.headDim(), tokens(), attentionParameters(layer)});
    });
    return prepared;
}

void PatchMixer::checkInput(const std::vector<int64_t>& shape) const
{
    if (shape != m_summary.input)
        throw UsageError("", "an input of " + describeShape(shape) + " cannot be fed to " + m_summary.name,
                         "it takes " + describeShape(m_summary.input));
}

/// What the attention of a layer makes of the tokens, before its projection: (B,N,C).
at::Tensor PatchMixer::attended(const PatchMixerBlock& block, const at::Tensor& x, int64_t layer,
                                const PreparedAttention& prepared, ForwardObserver* observer) const
{
    const int64_t heads = m_setup.description.heads, width = m_setup.description.headDim();
    const auto all = normedLinear(x, block.norm, normEps, block.qkv);
    const auto qkv = all.reshape({x.size(0), x.size(1), 3, heads, width}).permute({2, 0, 3, 1, 4});  // (3,B,H,N,D)
    const AttentionInput in{
        .q = qkv[0], .k = qkv[1], .v = qkv[2], .scale = 1 / std::sqrt(double(width)), .tokens = tokens()};
    const auto index = size_t(layer);
    if (observer != nullptr)
        observer->beforeAttention(layer);
    const auto out = prepared.layers[index]->attend(in, *prepared.noise[index]);  // (B,H,N,D)
    if (observer != nullptr)
        observer->afterAttention(layer, in, out);
    return out.transpose(1, 2).reshape(x.sizes());
}

at::Tensor PatchMixer::trainingLogits(const at::Tensor& input, const PreparedAttention& prepared,
                                      ForwardObserver* observer, const StochasticDepth* depth) const
{
    const PatchMixerWeights& w = m_setup.weights;
    const Pass pass{observer, depth};
    at::Tensor x = patchTokens(input, m_setup.description.patchSize, w.patch) + w.position;  // (B,N,C)
    for (size_t i = 0; i < w.blocks.size(); ++i) {
        const auto layer = int64_t(i);
        x = addBranch(pass, x, attended(w.blocks[i], x, layer, prepared, observer), w.blocks[i].projection,
                      "block." + std::to_string(i) + ".attn", layer, StochasticDepth::Branch::Attention);
    }
    return linear(normed(x, w.norm, normEps).mean(1), w.head).to(at::kFloat);
}

std::vector<NamedWeight> PatchMixer::weights() const
{
    return namedWeights(m_setup.weights, m_setup.description, m_setup.execution);
}

void PatchMixer::setAttentionParameters(int64_t layer, AttentionParameters parameters)
{
    m_setup.weights.blocks.at(size_t(layer)).attention = std::move(parameters);
}

AttentionParameters PatchMixer::attentionParameters(int64_t layer) const
{
    return m_setup.weights.blocks.at(size_t(layer)).attention;
}

AttentionShape PatchMixer::attentionShape(int64_t) const
{
    const PatchMixerDescription& d = m_setup.description;
    return {.heads = d.heads,
            .queries = d.tokens(),
            .keys = d.tokens(),
            .width = d.headDim(),
            .valueDim = d.headDim()};
}

double PatchMixer::multiplyAdds(const PreparedAttention& prepared) const
{
    double total = m_setup.description.linearMultiplyAdds();
    for (size_t i = 0; i < prepared.layers.size(); ++i)
        total += prepared.layers[i]->multiplyAdds(attentionShape(int64_t(i)));
    return total;
}

}

#include "core/attention/lara_proposals.h"

#include "core/attention/methods/softmax.h"
#include "core/attention/random_feature_kernel.h"
#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

bool complete(const LandmarkMap& map)
{
    return map.weight.defined() && map.bias.defined() && map.normWeight.defined() && map.normBias.defined();
}

void checkMap(const LandmarkMap& map, const BackendContext& context)
{
    const auto side = map.weight.dim() == 2 ? map.weight.size(0) : 0;
    const bool fits = side == map.weight.size(-1)
                      && (side == context.width || side == context.width * context.heads)
                      && map.bias.numel() == side && map.normWeight.numel() == side
                      && map.normBias.numel() == side;
    if (!fits)
        throw UsageError("lara",
                         "the checkpoint's landmark map is " + describeShape(map.weight.sizes())
                             + ", which fits neither one head (" + std::to_string(context.width) + ") nor all "
                             + std::to_string(context.heads),
                         "map=none pools without it");
}

/// softmax(a bᵀ) b, with a log-weight for every row of b.
at::Tensor attendTo(const at::Tensor& a, const at::Tensor& b, const at::Tensor& logWeight = {})
{
    AttentionInput in{.q = a, .k = b, .v = b, .scale = 1};
    in.keyLogWeights = logWeight;
    return exactAttention(in);
}

at::Tensor drawKey(const at::Tensor& queryLandmarks, const at::Tensor& keyHat, const at::Tensor& keyLogWeights,
                   NoiseSource& noise)
{
    const auto pi = attentionMatrix(queryLandmarks, keyHat, 1, {}, keyLogWeights);  // (B,H,C,M)
    const auto u = noise.uniform("u", {pi.size(0), pi.size(1), pi.size(2), 1}, pi.options());
    return keyHat.gather(2, drawComponents(pi, u).expand({-1, -1, -1, keyHat.size(3)}));
}

std::string nearestSquares(int64_t count)
{
    const auto below = int64_t(std::sqrt(double(count)));
    return "the nearest are " + std::to_string(below * below) + " and "
           + std::to_string((below + 1) * (below + 1));
}

}

at::Tensor Proposals::logDensity(const at::Tensor& omega, const at::Tensor& keyHat,
                                 const at::Tensor& keyLogWeights) const
{
    if (!mixture)
        return logPositiveFeature(omega, mean);  // (B,H,S,C)
    // The query landmark is constant, so its normaliser is one number per proposal.
    const auto keys =
        withKeyWeights(logPositiveFeature(omega, keyHat), keyLogWeights).logsumexp(-1, true);  // (B,H,S,1)
    const auto logits = withKeyWeights(at::matmul(queryLandmarks, keyHat.transpose(-1, -2)), keyLogWeights);
    const auto normaliser = logits.logsumexp(-1).unsqueeze(-2);  // (B,H,1,C)
    return logPositiveFeature(omega, queryLandmarks) + keys - normaliser;
}

ProposalMaker::ProposalMaker(const AttentionSpec& spec, const BackendContext& context)
    : m_count(spec.integer("samples"))
    , m_prefix(context.tokens.prefix)
{
    const std::string& proposal = spec.choice("proposal");
    m_kind = proposal == "mixed"      ? Kind::Mixed
             : proposal == "vmixed"   ? Kind::ValueMixed
             : proposal == "attended" ? Kind::Attended
             : proposal == "mixture"  ? Kind::Mixture
                                      : Kind::MeanQueryKey;
    decideGrid(spec, context);
    if (spec.choice("map") == "auto")
        readMaps(context);
    if (!m_queryMap.defined())
        m_notes.emplace_back(spec.choice("map") == "none"
                                 ? "plain pooled landmarks, as requested"
                                 : "plain pooled landmarks: these weights have no landmark parameters");
}

void ProposalMaker::decideGrid(const AttentionSpec& spec, const BackendContext& context)
{
    const std::string& landmarks = spec.choice("landmarks");
    m_grid = landmarks == "grid"
             || (landmarks == "auto" && context.tokens.hasGrid() && context.tokens.frames == 1);
    if (m_grid && !context.tokens.hasGrid())
        throw UsageError(spec.canonical(), "the tokens are not on a known grid",
                         "use landmarks=segments, or specify the grid");
    if (m_grid && context.tokens.frames != 1)
        throw UsageError(spec.canonical(),
                         "the tokens of " + std::to_string(context.tokens.frames) + " frames are not on one grid",
                         "use landmarks=segments");
    if (m_grid && squareRoot(m_count) == 0)
        throw UsageError(spec.canonical(),
                         std::to_string(m_count)
                             + " is not a square number, which a square pooling grid of landmarks needs",
                         nearestSquares(m_count));
}

void ProposalMaker::readMaps(const BackendContext& context)
{
    // 2: after the pooling of the 2-D path (pool, Rearrange); 0: before the segment means (adaptive-1d).
    for (const int linear : {2, 0}) {
        const LandmarkMap query = landmarkMap(context, "q_bar_gen", linear),
                          key = landmarkMap(context, "k_bar_gen", linear);
        if (!complete(query) || !complete(key))
            continue;
        checkMap(query, context);
        checkMap(key, context);
        m_queryMap = query;
        m_keyMap = key;
        m_mapBeforePooling = linear == 0;
        return;
    }
}

at::Tensor ProposalMaker::pooled(const at::Tensor& x, const TokenLayout& tokens) const
{
    if (m_grid && tokens.hasGrid() && tokens.count() == x.size(2))
        return gridMeans(x.slice(2, tokens.prefix), tokens.rows, tokens.columns, squareRoot(m_count));
    if (m_grid)
        throw UsageError("",
                         std::to_string(x.size(2)) + " tokens do not fill the grid of "
                             + std::to_string(tokens.rows) + "×" + std::to_string(tokens.columns),
                         "use landmarks=segments");
    return segmentMeans(withoutPrefix(x, tokens), m_count);
}

at::Tensor ProposalMaker::landmarks(const at::Tensor& x, const TokenLayout& tokens, const LandmarkMap& map) const
{
    if (!map.defined())
        return pooled(x, tokens);
    return m_mapBeforePooling ? pooled(map.apply(x), tokens) : map.apply(pooled(x, tokens));
}

at::Tensor ProposalMaker::mean(const AttentionInput& in, const at::Tensor& query, const at::Tensor& key,
                               const at::Tensor& keyHat, NoiseSource& noise) const
{
    switch (m_kind) {
    case Kind::Attended:
        return query + attendTo(query, keyHat, in.keyLogWeights);
    case Kind::Mixture:
        return query + drawKey(query, keyHat, in.keyLogWeights, noise);
    case Kind::Mixed:
        return query + attendTo(key, key);
    case Kind::ValueMixed: {
        const auto value = in.valueLandmarks.defined() ? in.valueLandmarks : pooled(in.v, in.keyLayout());
        return query + attendTo(key, key, (value.norm(2, -1) + 1e-4).log());
    }
    case Kind::MeanQueryKey:
        break;
    }
    return query + key;
}

Proposals ProposalMaker::make(const AttentionInput& in, const at::Tensor& keyHat, NoiseSource& noise) const
{
    const bool needsKeys = sharedByGroups();
    const AttentionInput known = withLandmarks(in);
    const at::Tensor& query = known.queryLandmarks;
    const at::Tensor key = needsKeys ? known.keyLandmarks : at::Tensor();
    if (needsKeys && key.size(2) != query.size(2))
        throw UsageError("",
                         std::to_string(query.size(2)) + " query landmarks and " + std::to_string(key.size(2))
                             + " key landmarks do not match",
                         "choose fewer samples than there are keys and queries");
    Proposals proposals;
    proposals.queryLandmarks = scaledInput(query, in.scale);
    proposals.mixture = m_kind == Kind::Mixture;
    proposals.mean = mean(in, proposals.queryLandmarks, needsKeys ? scaledInput(key, in.scale) : key, keyHat,
                          noise);
    return proposals;
}

AttentionInput ProposalMaker::withLandmarks(AttentionInput in) const
{
    if (!in.queryLandmarks.defined())
        in.queryLandmarks = landmarks(in.q, in.tokens, m_queryMap);
    if (sharedByGroups() && !in.keyLandmarks.defined())
        in.keyLandmarks = landmarks(in.k, in.keyLayout(), m_keyMap);
    return in;
}

AttentionInput ProposalMaker::withSharedLandmarks(AttentionInput in) const
{
    const TokenLayout line;
    const auto setShared = [&](at::Tensor& given, const at::Tensor& x, const LandmarkMap& map) {
        if (!given.defined())
            given = landmarks(positionMajor(x, in.keyGroups), line, map);
    };
    setShared(in.queryLandmarks, in.q, m_queryMap);
    if (sharedByGroups())
        setShared(in.keyLandmarks, in.k, m_keyMap);
    if (m_kind == Kind::ValueMixed)
        setShared(in.valueLandmarks, in.v, {});
    return in;
}

AttentionInput ProposalMaker::withFixedValues(AttentionInput in) const
{
    if (m_kind != Kind::ValueMixed || in.valueLandmarks.defined())
        return in;
    in.valueLandmarks = in.keyGroups > 1 ? pooled(positionMajor(in.v, in.keyGroups), {})
                                         : pooled(in.v, in.keyLayout());
    return in;
}

int64_t ProposalMaker::count(int64_t keys) const
{
    return m_grid ? m_count : std::min(m_count, std::max<int64_t>(keys - m_prefix, 1));
}

double ProposalMaker::multiplyAdds(const AttentionShape& s) const
{
    const auto landmarks = double(count(s.keys)), width = double(s.width);
    const auto heads = double(s.heads), keys = double(s.keys);
    double total = m_queryMap.multiplyAdds(s.heads, s.width, m_mapBeforePooling ? s.queries : count(s.keys))
                   + m_keyMap.multiplyAdds(s.heads, s.width, m_mapBeforePooling ? s.keys : count(s.keys));
    if (m_kind == Kind::Mixed || m_kind == Kind::ValueMixed)
        total += 2 * heads * landmarks * landmarks * width;
    if (m_kind == Kind::Attended)
        total += 2 * heads * landmarks * keys * width;
    if (m_kind == Kind::Mixture)
        total += heads * landmarks * keys * width;
    return total;
}

}

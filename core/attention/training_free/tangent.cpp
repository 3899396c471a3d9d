#include "core/attention/training_free/tangent.h"

#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_tangent.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/symmetric_eigen.h"
#include "core/attention/training_free/query_clusters.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

class TangentAttention : public AttentionBackend {
public:
    TangentAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_iterations(spec.integer("iterations"))
        , m_rank(spec.integer("rank"))
        , m_firstOrder(spec.integer("order") == 1)
        , m_clip(spec.flag("clip"))
        , m_ownKernels(spec.choice("kernel") == "auto")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto queries = double(s.queries), keys = double(s.keys), width = double(s.width),
                   values = double(s.valueDim), groups = double(s.keyGroups);
        const auto landmarks = double(std::min(m_samples, s.queries));
        double head = groups * double(m_iterations + 1) * queries * landmarks * width
                      + landmarks * keys * (width + values);
        if (m_firstOrder) {
            const bool narrow = m_rank > 0 && m_rank < s.width;
            const double rank = narrow ? double(m_rank) : width;
            head += landmarks * keys * rank * values + groups * queries * rank * values;
            if (narrow)
                head += groups * queries * width * (width + rank) + keys * width * rank;
        }
        return double(s.heads) * head;
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override { return attendTo(in, false).out; }

    AttentionPart computePart(const AttentionInput& in, NoiseSource&) const override { return attendTo(in, true); }

    std::vector<TokenMap> computeTokenMaps(const AttentionInput& in, NoiseSource&,
                                           std::optional<int64_t> query) const override
    {
        if (query)
            return {};
        const QueryClusters clusters = kMeans(in.q, queryLandmarks(in, m_samples), m_iterations);
        const auto distance = (in.q - ownRow(clusters.centres, clusters.assigned)).norm(2, -1)
                              * std::sqrt(in.scale);
        return {{"cluster", clusters.assigned.to(distance.scalar_type())}, {"distance", distance}};
    }

private:
    AttentionPart attendTo(const AttentionInput& in, bool normaliser) const
    {
        const auto start = queryLandmarks(in, m_samples);
        if (m_ownKernels && fitsCpuKernels(in, KeyWeights::Taken))
            return tangentOnCpu(in, {start, m_iterations, m_rank, m_firstOrder, m_clip, normaliser});
        const QueryClusters clusters = kMeans(in.q, start, m_iterations);
        const auto logits = withKeyWeights(at::matmul(clusters.centres * in.scale, in.k.transpose(-1, -2)),
                                           in.keyLogWeights);  // (B,H,C,M)
        const auto weights = logits.softmax(-1);
        const auto meanKeys = at::matmul(weights, in.k), meanValues = at::matmul(weights, in.v);
        const auto residual = in.q - ownRow(clusters.centres, clusters.assigned);
        const auto bound = logits.logsumexp(-1).gather(2, clusters.assigned)
                           + in.scale * (residual * ownRow(meanKeys, clusters.assigned)).sum(-1);
        auto out = ownRow(meanValues, clusters.assigned);
        if (m_firstOrder)
            out = bounded(in, out + in.scale * changes(in, weights, meanValues, residual, clusters.assigned));
        return {out, bound};
    }

    /// (q_n − q_c)ᵀ Cov_c of every query, (B,H,N,Dv).
    at::Tensor changes(const AttentionInput& in, const at::Tensor& weights, const at::Tensor& meanValues,
                       const at::Tensor& residual, const at::Tensor& assigned) const
    {
        auto keys = in.k, own = residual;
        if (m_rank > 0 && m_rank < in.q.size(3)) {
            const auto moments = at::matmul(residual.transpose(-1, -2), residual)
                                     .detach();  // gradients take the directions as they are
            FallenHeads notFinite(covarianceNotFinite);
            const auto directions =
                symmetricEigen(moments, notFinite).vectors.slice(-1, in.q.size(3) - m_rank);  // (B,H,D,R)
            keys = at::matmul(keys, directions);
            own = at::matmul(own, directions);
        }
        at::Tensor sum;
        for (int64_t c = 0; c < weights.size(2); ++c) {
            const auto p = weights.narrow(2, c, 1).transpose(-1, -2);  // (B,H,M,1)
            const auto weighted = (p * keys).transpose(-1, -2);        // (B,H,R,M)
            const auto covariance = at::matmul(weighted, in.v)
                                    - weighted.sum(-1, true) * meanValues.narrow(2, c, 1);
            const auto members = (assigned == c).unsqueeze(-1);  // (B,H,N,1)
            const auto change = at::matmul(own.masked_fill(members.logical_not(), 0), covariance);
            sum = sum.defined() ? sum + change : change;
        }
        return sum;
    }

    at::Tensor bounded(const AttentionInput& in, const at::Tensor& out) const
    {
        if (!m_clip || in.linear)
            return out;
        return at::minimum(at::maximum(out, in.v.amin(2, true)), in.v.amax(2, true));
    }

    int64_t m_samples, m_iterations, m_rank;
    bool m_firstOrder, m_clip, m_ownKernels;
};

}

at::Tensor queryLandmarks(const AttentionInput& in, int64_t count)
{
    const TokenPlaces places = placesOf(in.q.size(2), in.tokens);
    const int64_t side = squareRoot(count);
    const bool grid = places.frames == 1 && places.rows >= side && places.columns >= side && side > 0;
    return grid ? gridMeans(in.q.slice(2, places.prefix), places.rows, places.columns, side)
                : segmentMeans(withoutPrefix(in.q, in.tokens), count);
}

at::Tensor tangentNormaliser(const AttentionInput& in, const at::Tensor& landmarks)
{
    const auto logits = withKeyWeights(at::matmul(landmarks * in.scale, in.k.transpose(-1, -2)),
                                       in.keyLogWeights);  // (B,H,C,M)
    const auto meanKeys = at::matmul(logits.softmax(-1), in.k);
    const auto offset = logits.logsumexp(-1) - in.scale * (landmarks * meanKeys).sum(-1);  // (B,H,C)
    return (at::matmul(in.q * in.scale, meanKeys.transpose(-1, -2)) + offset.unsqueeze(-2)).amax(-1);
}

BackendInfo tangentInfo()
{
    return {
        .name = "tangent",
        .title = "Tangent",
        .help = "exact attention of a few landmark queries, expanded to first order around each: close to softmax "
                "in any network, without an order of tokens",
        .citation = "Attnscope; its order 0 is clustered attention (Vyas et al., NeurIPS 2020)",
        .complexity = "O(C·(M·D² + i·N·D))",
        .landmarks = true,
        .normaliser = true,
        .exactPrefix = true,
        .look = {Hue::Lara, Mark::Kite, {14, 2}},
        .options = {integerOption("samples", "landmark queries C; a square number begins from cells of the grid",
                                  16, 1, 4096),
                    integerOption(
                        "rank",
                        "directions of the queries' residuals that count; 0: all; 8 take a fraction of the time",
                        0, 0, 1024),
                    advanced(integerOption(
                        "order", "of the expansion; 0: all queries of a landmark get its output", 1, 0, 1)),
                    advanced(integerOption("iterations", "steps of k-means that place the landmarks", 3, 0, 100)),
                    advanced(flagOption(
                        "clip", "keeps outputs between the least and the largest value of each channel", true)),
                    kernelOption(), keysOption()},
        .make = makeMethod<TangentAttention>,
        .tokenMaps = {{.name = "cluster",
                       .title = "Clusters of queries",
                       .help = "queries of one landmark",
                       .kind = TokenMapInfo::Kind::Category},
                      {.name = "distance",
                       .title = "Distance from the landmark",
                       .help = "√s ‖q − landmark‖, whose square the error follows"}},
        .planCandidates = {"tangent:samples=4", "tangent", "tangent:samples=49,rank=8"},
        .dropIn = "tangent:iterations=6"};
}

}

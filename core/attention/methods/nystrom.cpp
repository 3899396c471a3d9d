#include "core/attention/methods/nystrom.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

constexpr Fallback noLongerConverging{
    "the iteration for a pseudo-inverse began to diverge, and the last good step was used"};
constexpr Fallback singular{"the matrix between landmarks was singular to rounding, and what cannot be inverted "
                            "was left out of its inverse"};

/// By decomposition; singular values below rounding count as 0.
at::Tensor exactPseudoInverse(const at::Tensor& a)
{
    if (at::GradMode::is_enabled())
        return at::linalg_pinv(a);  // whose gradient does not need distinct singular values
    const auto [left, values, right] = at::linalg_svd(a, /*full_matrices=*/false);
    const double rounding = a.scalar_type() == at::kDouble ? std::numeric_limits<double>::epsilon()
                                                           : std::numeric_limits<float>::epsilon();
    const auto counted = values > values.slice(-1, 0, 1) * (rounding * double(a.size(-1)));
    FallenHeads fallen(singular);
    fallen.where([&] { return counted.logical_not().any(-1); });
    const auto inverses = at::where(counted, values.reciprocal(), at::zeros_like(values));
    return at::matmul(right.transpose(-1, -2) * inverses.unsqueeze(-2), left.transpose(-1, -2));
}

class NystromAttention : public AttentionBackend {
public:
    NystromAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_count(spec.integer("samples"))
        , m_iterations(spec.integer("iterations"))
        , m_exactInverse(spec.flag("exact_pinv"))
        , m_positionMajor(spec.choice("order") == "position-major")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto landmarks = double(std::min({m_count, s.queries, s.keys}));
        const double square = landmarks * landmarks;
        const double inverse = m_exactInverse ? 0
                                              : 4 * double(m_iterations) * square
                                                    * landmarks;  // the decomposition is not counted as a product
        const double between = square * double(s.width + s.keyGroups * s.valueDim);
        return landmarkMultiplyAdds(s, landmarks) + double(s.heads) * (between + inverse);
    }

protected:
    bool takesGroups() const override { return true; }

    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const Landmarks landmarks = landmarksOf(in);
        const auto values = at::matmul(inverseBetween(landmarks, in.scale),
                                       landmarkValues(in, landmarks.query));  // (B,H,C,G·Dv)
        return spreadLandmarkValues(in, attentionMatrix(in.q, landmarks.key, in.scale, {}, landmarks.logWeight),
                                    values);
    }

    std::optional<LandmarkWeights> computeLandmarkWeights(const AttentionInput& in, NoiseSource&,
                                                          int64_t query) const override
    {
        const Landmarks landmarks = landmarksOf(in);
        const auto row = attentionMatrix(in.q.narrow(2, query, 1), landmarks.key, in.scale, {},
                                         landmarks.logWeight);  // (B,H,1,C)
        return LandmarkWeights{at::matmul(row, inverseBetween(landmarks, in.scale)).squeeze(2), {}, 0};
    }

private:
    struct Landmarks {
        at::Tensor query, key;  // (B,H,C,D)
        at::Tensor logWeight;   // of keys' landmarks, (B,H,C); undefined: 0
    };

    Landmarks landmarksOf(const AttentionInput& in) const
    {
        const auto queries = ordered(in.q, in.tokens, in.keyGroups),
                   keys = ordered(in.k, in.keyLayout(), in.keyGroups);
        // Landmarks come in pairs: if one side has fewer tokens (reduced keys), that number applies to both.
        const auto count = std::min({m_count, queries.size(2), keys.size(2)});
        auto [keyMeans, logWeight] = weightedSegmentMeans(
            keys, in.keyLogWeights.defined() ? weightsOf(in) : at::Tensor(), count);
        const Landmarks landmarks{in.queryLandmarks.defined() ? in.queryLandmarks : segmentMeans(queries, count),
                                  in.keyLandmarks.defined() ? in.keyLandmarks : keyMeans, logWeight};
        if (landmarks.query.size(2) != landmarks.key.size(2))
            throw UsageError("",
                             std::to_string(landmarks.query.size(2)) + " query landmarks and "
                                 + std::to_string(landmarks.key.size(2)) + " key landmarks do not match",
                             "use the same number of both");
        return landmarks;
    }

    at::Tensor inverseBetween(const Landmarks& landmarks, double scale) const
    {
        const auto between = attentionMatrix(landmarks.query, landmarks.key, scale, {},
                                             landmarks.logWeight);  // (B,H,C,C)
        return m_exactInverse ? exactPseudoInverse(between) : iterativePseudoInverse(between, m_iterations);
    }

    /// The tokens that landmarks are made of, in the order in which they are split.
    at::Tensor ordered(const at::Tensor& x, const TokenLayout& tokens, int64_t groups) const
    {
        return groups > 1 && m_positionMajor ? positionMajor(x, groups) : withoutPrefix(x, tokens);
    }

    /// Those of the keys in the same order, (B,H,M).
    at::Tensor weightsOf(const AttentionInput& in) const
    {
        return ordered(in.keyLogWeights.unsqueeze(-1), in.keyLayout(), in.keyGroups).squeeze(-1);
    }

    int64_t m_count, m_iterations;
    bool m_exactInverse, m_positionMajor;
};

}

/// Where A is nearly singular, rounding grows by up to 13/4 in every step without end. It shows as A Z, which is symmetric but for rounding.
at::Tensor iterativePseudoInverse(const at::Tensor& a, int64_t iterations)
{
    constexpr int64_t safeSteps = 6;
    constexpr double maxRounding = 1e-2;
    FallenHeads fallen(noLongerConverging);
    const auto identity = at::eye(a.size(-1), a.options());
    auto z = a.transpose(-1, -2) / a.abs().sum(-2).amax(-1).unsqueeze(-1).unsqueeze(-1);
    auto az = iterations > 0 ? at::matmul(a, z) : at::Tensor();
    for (int64_t i = 0; i < iterations; ++i) {
        const auto inner = 15 * identity - at::matmul(az, 7 * identity - az);
        const auto next = at::matmul(z, 13 * identity - at::matmul(az, inner)) * 0.25;
        if (i + 1 == iterations)
            return next;
        const auto product = at::matmul(a, next);
        if (i < safeSteps) {
            z = next, az = product;
            continue;
        }
        const auto good = (product - product.transpose(-1, -2)).abs().flatten(-2).amax(-1)
                          <= maxRounding;  // not for NaN
        fallen.where([&] { return good.logical_not(); });
        const auto kept = good.unsqueeze(-1).unsqueeze(-1);
        z = at::where(kept, next, z), az = at::where(kept, product, az);
    }
    return z;
}

BackendInfo nystromInfo()
{
    return {
        .name = "nystrom",
        .title = "Nyström",
        .help = "low-rank approximation through landmarks; outputs may lie outside the range of the values",
        .citation =
            "Xiong et al., Nyströmformer: A Nyström-based Algorithm for Approximating Self-Attention, AAAI 2021",
        .complexity = "O(C·(N+M)·D + C³)",
        .landmarks = true,
        .look = {Hue::Nystrom, Mark::Pentagon, {10, 3, 1.5, 3}},
        .options =
            {integerOption("samples", "landmarks C, means of consecutive segments", 64, 1, 4096),
             advanced(integerOption(
                 "iterations", "iterations of the pseudo-inverse; the published six do not converge", 6, 0, 100)),
             advanced(flagOption("exact_pinv", "compute the pseudo-inverse by decomposition instead")),
             advanced(choiceOption(
                 "order", "how segments are formed in video, where landmarks are shared by all frames",
                 {{"position-major", "the same position in all frames, then the next position (Motionformer)", {}},
                  {"frame-major", "consecutive tokens within a frame", {}}})),
             keysOption()},
        .make = makeMethod<NystromAttention>,
        .planCandidates = {"nystrom:samples=16", "nystrom:samples=49"},
        .dropIn = "nystrom:prefix_attention=exact",
        .published = {
            {1024, 3.98, 0.45}, {2048, 1.85, 0.2}, {3072, 0.88, 0.12}, {4096, 0.54, 0.08}, {8192, 0.14, 0.03}}};
}

}

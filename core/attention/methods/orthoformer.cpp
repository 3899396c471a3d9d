#include "core/attention/methods/orthoformer.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/base/error.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

class OrthoformerAttention : public AttentionBackend {
public:
    OrthoformerAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_count(spec.integer("samples"))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto landmarks = double(std::min(m_count, s.queries));
        const double selection = double(s.heads) * landmarks * double(s.queries * s.width);
        return landmarkMultiplyAdds(s, landmarks) + selection;
    }

protected:
    bool takesGroups() const override { return true; }

    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        const auto index = chosen(in, noise);  // (B,H,C)
        const auto landmarks = taken(in, index);
        return spreadLandmarkValues(in, attentionMatrix(in.q, landmarks, in.scale), landmarkValues(in, landmarks));
    }

    std::optional<LandmarkWeights> computeLandmarkWeights(const AttentionInput& in, NoiseSource& noise,
                                                          int64_t query) const override
    {
        const auto index = chosen(in, noise);
        const auto row = attentionMatrix(in.q.narrow(2, query, 1), taken(in, index), in.scale);  // (B,H,1,C)
        const auto skipped = in.q.size(2) - withoutPrefix(in.q, in.tokens).size(2);
        return LandmarkWeights{row.squeeze(2), index + skipped, 0};
    }

private:
    at::Tensor chosen(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto candidates = withoutPrefix(in.q, in.tokens);
        return selectOrthogonal(candidates.detach(), first(candidates, noise),
                                std::min(m_count, candidates.size(2)));
    }

    static at::Tensor taken(const AttentionInput& in, const at::Tensor& index)
    {
        return withoutPrefix(in.q, in.tokens).gather(2, index.unsqueeze(-1).expand({-1, -1, -1, in.q.size(3)}));
    }

    static at::Tensor first(const at::Tensor& candidates, NoiseSource& noise)
    {
        const auto count = candidates.size(2);
        const auto drawn = noise.uniform("first", {candidates.size(0), candidates.size(1)},
                                         candidates.options().dtype(at::kDouble));
        const auto index = (noise.holds("first") ? drawn : drawn * double(count)).to(at::kLong);
        if (noise.holds("first") && (index < 0).logical_or(index >= count).any().item<bool>())
            throw UsageError("",
                             "a recorded first landmark is not among the " + std::to_string(count) + " queries");
        return index.clamp(0, count - 1);
    }

    int64_t m_count;
};

}

at::Tensor selectOrthogonal(const at::Tensor& x, const at::Tensor& first, int64_t count)
{
    const auto unit = x / x.norm(2, -1, true).clamp_min(1e-12);  // (B,H,N,D)
    const auto width = x.size(3);
    auto newest = first.unsqueeze(-1);  // (B,H,1)
    auto closest = at::zeros({x.size(0), x.size(1), x.size(2)}, x.options());
    std::vector<at::Tensor> chosen{newest};
    while (int64_t(chosen.size()) < count) {
        const auto landmark = unit.gather(2, newest.unsqueeze(-1).expand({-1, -1, -1, width}));  // (B,H,1,D)
        closest = at::maximum(closest, at::matmul(unit, landmark.transpose(-1, -2)).squeeze(-1).abs());
        closest = closest.scatter(-1, newest, std::numeric_limits<double>::infinity());  // never chosen again
        newest = closest.argmin(-1, true);
        chosen.push_back(newest);
    }
    return std::get<0>(at::cat(chosen, -1).sort(-1));
}

BackendInfo orthoformerInfo()
{
    return {
        .name = "orthoformer",
        .title = "Orthoformer",
        .help = "nearly orthogonal queries represent all of them; they are selected one at a time",
        .citation = "Patrick et al., Keeping Your Eye on the Ball: Trajectory Attention in Video Transformers, "
                    "NeurIPS 2021",
        .complexity = "O(C·(N+M)·D)",
        .random = true,
        .landmarks = true,
        .look = {Hue::Orthoformer, Mark::Hexagon, {6, 3, 1.5, 3, 1.5, 3}},
        .options = {integerOption("samples", "landmarks C, taken from the queries", 64, 1, 4096), keysOption(),
                    seedOption()},
        .make = makeMethod<OrthoformerAttention>};
}

}

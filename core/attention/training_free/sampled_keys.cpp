#include "core/attention/training_free/sampled_keys.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/chosen_keys.h"

namespace attnscope {

namespace {

class SampledKeysAttention : public AttentionBackend {
public:
    SampledKeysAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_leverage(spec.choice("sampling") == "leverage")
        , m_ridge(spec.real("ridge"))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto keys = double(s.keys), width = double(s.width), samples = double(m_samples);
        const double attended = double(s.keyGroups * s.queries) * samples * double(s.width + s.valueDim);
        return double(s.heads) * (attended + (m_leverage ? 2 * keys * width * width : keys));
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return exactAttention(withDrawnKeys(in, noise));
    }
    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        return exactPart(withDrawnKeys(in, noise));
    }

private:
    AttentionInput withDrawnKeys(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto u = noise.uniform("u", {in.q.size(0), in.q.size(1), m_samples},
                                     in.q.options().dtype(at::kDouble));
        const at::Tensor w = wideKeyWeights(in), p = m_leverage ? leverage(in, w) : w.softmax(-1);
        const DrawnKeys drawn = drawKeys(w, p, u);
        return withChosenKeys(in, drawn.index, drawn.logWeights.to(in.q.scalar_type()));
    }

    /// Half uniform, half by leverage: (B,H,M).
    at::Tensor leverage(const AttentionInput& in, const at::Tensor& w) const
    {
        const auto k = in.k.to(at::kDouble);
        const auto scaled = scaledInput(k - k.mean(2, true), in.scale);
        const auto gram = at::matmul(scaled.transpose(2, 3), scaled) + m_ridge * at::eye(k.size(3), k.options());
        const auto score = (scaled * at::linalg_solve(gram, scaled.transpose(2, 3)).transpose(2, 3)).sum(-1);
        const auto p = w.softmax(-1) * (1 / double(k.size(2)) + score / score.sum(-1, true).clamp_min(1e-30));
        return p / p.sum(-1, true);
    }

    int64_t m_samples;
    bool m_leverage;
    double m_ridge;
};

}

BackendInfo sampledKeysInfo()
{
    return {.name = "sample",
            .title = "Sampled keys",
            .help = "keys drawn at random, once for all queries: a yardstick without a kernel of its own, whose "
                    "error is four to ten times that of WildCat "
                    "with as many keys on small networks and twice on DINOv2",
            .citation = "importance sampling of keys by ridge leverage",
            .complexity = "O(S·N·D), leverage + M·D²",
            .random = true,
            .everyKey = false,
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Performer, Mark::Ticket, {2, 1.5}},
            .options = {integerOption("samples", "keys S, drawn with replacement", 64, 1, 16384),
                        choiceOption("sampling", "probability of a key",
                                     {{"uniform", "the same for all", {}},
                                      {"leverage", "half of that, half by how unlike the others it is", {}}}),
                        advanced(realOption("ridge", "added to the keys' second moments by sampling=leverage", 1,
                                            1e-6, 1e6)),
                        keysOption(), seedOption()},
            .make = makeMethod<SampledKeysAttention>};
}

}

#include "core/attention/training_free/merge.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/chosen_keys.h"
#include "core/attention/training_free/token_merging.h"

#include <algorithm>

namespace attnscope {

namespace {

class MergeAttention : public AttentionBackend {
public:
    MergeAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_ownKernels(spec.choice("kernel") == "auto")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        int64_t keys = s.keys / s.keyGroups, pairs = 0;
        while (keys > m_samples) {
            pairs += (keys + 1) / 2 * (keys / 2);
            keys -= std::min(keys - m_samples, (keys + 1) / 2);
        }
        return double(s.heads * s.keyGroups)
               * (double(pairs * s.width) + double(s.queries * keys) * double(s.width + s.valueDim));
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        return exactAttention(withMergedKeys(in));
    }
    AttentionPart computePart(const AttentionInput& in, NoiseSource&) const override
    {
        return exactPart(withMergedKeys(in));
    }

private:
    AttentionInput withMergedKeys(const AttentionInput& in) const
    {
        if (in.k.size(2) <= m_samples)
            return withChosenKeys(in, in.k, in.v, in.keyLogWeights);
        const auto sizes = in.q.sizes().slice(0, 2);
        const bool ownKernels = m_ownKernels && in.k.is_cpu() && in.k.scalar_type() == at::kFloat;
        const at::Tensor w = in.keyLogWeights.defined() ? in.keyLogWeights.to(in.k.scalar_type()) : at::Tensor();
        const at::Tensor top = w.defined() ? w.detach().amax(-1, true) : at::Tensor();  // (B,H,1)
        SizedRows keys{at::cat({in.k, in.v}, 3).flatten(0, 1),
                       (w.defined() ? (w - top).exp() : at::ones(in.k.sizes().slice(0, 3), in.k.options()))
                           .flatten(0, 1)
                           .unsqueeze(-1)};
        while (keys.rows.size(1) > m_samples) {
            const int64_t left = keys.rows.size(1), count = std::min(left - m_samples, (left + 1) / 2);
            const auto own = keys.rows.detach().slice(2, 0, in.k.size(3)), mass = keys.sizes.detach();
            const auto mean = (own * mass).sum(1, true) / mass.sum(1, true);
            keys = mergeRows(keys, matchTokens(own - mean, {.count = count, .ownKernels = ownKernels}));
        }
        const auto rows = keys.rows.unflatten(0, sizes);
        const auto logSizes = keys.sizes.squeeze(-1).log().unflatten(0, sizes);
        return withChosenKeys(in, rows.slice(3, 0, in.k.size(3)), rows.slice(3, in.k.size(3)),
                              w.defined() ? logSizes + top : logSizes);
    }

    int64_t m_samples;
    bool m_ownKernels;
};

}

BackendInfo mergeInfo()
{
    return {.name = "merge",
            .title = "Key merging",
            .help = "the most similar keys become one, again and again; better than pooling, but finding them is "
                    "quadratic in the keys, with a sixth of "
                    "softmax's multiply-adds, and WildCat is nearer on small networks",
            .citation = "ours, after Bolya et al., Token Merging: Your ViT But Faster, ICLR 2023",
            .complexity = "O(M²·D/3 + C·N·D)",
            .tokenComplexity = {.time = 2, .memory = 1},
            .landmarks = true,
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Linformer, Mark::Trapezoid, {4, 1, 1, 1}},
            .options = {integerOption("samples", "keys C that are left; as many as there are: exact", 64, 1, 4096),
                        kernelOption(), keysOption()},
            .make = makeMethod<MergeAttention>,
            .planCandidates = {"merge:samples=64"}};
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/attention/training_free/merge.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_nearest.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/chosen_keys.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

/// Keys and values of P heads, one next to the other, and how many each stands for.
struct MergedKeys {
    at::Tensor rows;   ///< (P,m,D+Dv)
    at::Tensor sizes;  ///< (P,m,1), relative to the largest e^w
};

/// The row of b with the largest product with each row of a, ties to the lowest: a (P,n,D), b (P,m,D) → (P,n).
at::Tensor nearestRows(const at::Tensor& a, const at::Tensor& b, bool ownKernels)
{
    if (ownKernels)
        return nearestKeysOnCpu(a, b);
    constexpr std::int64_t some = 256;  // rows at a time: memory grows with the keys, not with their square
    std::vector<at::Tensor> found;
    for (std::int64_t begin = 0; begin < a.size(1); begin += some)
        found.push_back(at::matmul(a.slice(1, begin, begin + some), b.transpose(1, 2)).argmax(-1));
    return at::cat(found, 1);
}

/// Keys that become part of others, and those that stay in their order.
struct Matching {
    at::Tensor sources, targets;  ///< (P,count)
    at::Tensor survivors;         ///< (P,m−count)
};

/// Of m keys `count` merge, at most those of A: metric (P,m,D).
Matching matched(const at::Tensor& metric, std::int64_t count, bool ownKernels)
{
    const at::NoGradGuard constants;
    const std::int64_t heads = metric.size(0), keys = metric.size(1);
    const auto unit = metric / metric.norm(2, -1, true).clamp_min(1e-12);
    const auto a = unit.slice(1, 0, keys, 2).contiguous(), b = unit.slice(1, 1, keys, 2).contiguous();
    const auto nearest = nearestRows(a, b, ownKernels);  // (P,|A|)
    const auto cosine = (a * b.gather(1, nearest.unsqueeze(-1).expand_as(a))).sum(-1);
    const auto chosen = std::get<1>(cosine.sort(/*stable=*/true, -1, /*descending=*/true)).slice(1, 0, count);
    const auto sources = chosen * 2;
    const auto stays = at::ones({heads, keys}, metric.options().dtype(at::kBool)).scatter(1, sources, 0);
    return {sources, nearest.gather(1, chosen) * 2 + 1, stays.nonzero().select(1, 1).view({heads, keys - count})};
}

MergedKeys merged(const MergedKeys& keys, const Matching& matching)
{
    const auto likeRows = [&](const at::Tensor& index, const at::Tensor& x) { return index.unsqueeze(-1).expand({-1, -1, x.size(2)}); };
    const auto joined = [&](const at::Tensor& x) {
        return x.scatter_add(1, likeRows(matching.targets, x), x.gather(1, likeRows(matching.sources, x)));
    };
    const auto sums = joined(keys.rows * keys.sizes), sizes = joined(keys.sizes);
    const auto counts = sizes > 0;  // keys that are removed stay what they are
    const auto means = at::where(counts, sums / at::where(counts, sizes, at::ones_like(sizes)), keys.rows);
    return {means.gather(1, likeRows(matching.survivors, means)), sizes.gather(1, likeRows(matching.survivors, sizes))};
}

class MergeAttention : public AttentionBackend {
public:
    MergeAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_ownKernels(spec.choice("kernel") == "auto")
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        std::int64_t keys = s.keys / s.keyGroups, pairs = 0;
        while (keys > m_samples) {
            pairs += (keys + 1) / 2 * (keys / 2);
            keys -= std::min(keys - m_samples, (keys + 1) / 2);
        }
        return static_cast<double>(s.heads * s.keyGroups)
               * (static_cast<double>(pairs * s.width) + static_cast<double>(s.queries * keys) * static_cast<double>(s.width + s.valueDim));
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override { return exactAttention(withMergedKeys(in)); }
    AttentionPart computePart(const AttentionInput& in, NoiseSource&) const override { return exactPart(withMergedKeys(in)); }

private:
    AttentionInput withMergedKeys(const AttentionInput& in) const
    {
        if (in.k.size(2) <= m_samples)
            return withChosenKeys(in, in.k, in.v, in.keyLogWeights);
        const auto sizes = in.q.sizes().slice(0, 2);
        const bool ownKernels = m_ownKernels && in.k.is_cpu() && in.k.scalar_type() == at::kFloat;
        const at::Tensor w = in.keyLogWeights.defined() ? in.keyLogWeights.to(in.k.scalar_type()) : at::Tensor();
        const at::Tensor top = w.defined() ? w.detach().amax(-1, true) : at::Tensor();  // (B,H,1)
        MergedKeys keys{at::cat({in.k, in.v}, 3).flatten(0, 1),
                        (w.defined() ? (w - top).exp() : at::ones(in.k.sizes().slice(0, 3), in.k.options())).flatten(0, 1).unsqueeze(-1)};
        while (keys.rows.size(1) > m_samples) {
            const std::int64_t left = keys.rows.size(1), count = std::min(left - m_samples, (left + 1) / 2);
            const auto own = keys.rows.detach().slice(2, 0, in.k.size(3)), mass = keys.sizes.detach();
            const auto mean = (own * mass).sum(1, true) / mass.sum(1, true);
            keys = merged(keys, matched(own - mean, count, ownKernels));
        }
        const auto rows = keys.rows.unflatten(0, sizes);
        const auto logSizes = keys.sizes.squeeze(-1).log().unflatten(0, sizes);
        return withChosenKeys(in, rows.slice(3, 0, in.k.size(3)), rows.slice(3, in.k.size(3)), w.defined() ? logSizes + top : logSizes);
    }

    std::int64_t m_samples;
    bool m_ownKernels;
};

}  // namespace

BackendInfo mergeInfo()
{
    return {.name = "merge",
            .title = "Key merging",
            .help = "the most similar keys become one, again and again; better than pooling, but finding them is quadratic in the keys, with a sixth of "
                    "softmax's multiply-adds, and WildCat is nearer on small networks",
            .citation = "ours, after Bolya et al., Token Merging: Your ViT But Faster, ICLR 2023",
            .complexity = "O(M²·D/3 + C·N·D)",
            .tokenComplexity = {.time = 2, .memory = 1},
            .landmarks = true,
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Linformer, Mark::Trapezoid, {4, 1, 1, 1}},
            .options = {integerOption("samples", "keys C that are left; as many as there are: exact", 64, 1, 4096), kernelOption(), keysOption()},
            .make = makeMethod<MergeAttention>,
            .planCandidates = {"merge:samples=64"}};
}

}  // namespace attnscope

#include "core/attention/methods/pooled_keys.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/methods/softmax.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Means of tokens over the cells of a partition, and the number of tokens in each cell.
struct PooledCells {
    at::Tensor means;   // (B,H,C,D)
    at::Tensor counts;  // (C)
};

/// (cells, length), one row per cell with 1 / size at its tokens: cell i of c has tokens ⌊i·n/c⌋ … ⌊(i+1)·n/c⌋ − 1. Unlike the cells of
/// adaptive pooling these do not overlap: each token counts once.
at::Tensor partition(int64_t length, int64_t cells, const at::TensorOptions& options)
{
    const auto token = at::arange(length, options.dtype(at::kLong));
    const auto cell = at::div((token + 1) * cells - 1, length, "floor");  // token t is in cell ⌈(t+1)·c/n⌉ − 1
    const auto member = at::one_hot(cell, cells).to(options).t();         // (cells, length)
    return member / member.sum(1, true);
}

at::Tensor sizesOf(const at::Tensor& partition)
{
    return (partition > 0).sum(1).to(partition.scalar_type());
}

class PooledKeyAttention : public AttentionBackend {
public:
    PooledKeyAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_ratio(spec.integer("ratio"))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t keys = s.keys / s.keyGroups;
        const int64_t cells = m_ratio > 0 ? (keys + m_ratio * m_ratio - 1) / (m_ratio * m_ratio)
                                          : std::min(m_samples, keys);
        return double(s.heads * s.keyGroups) * double(s.queries * cells) * double(s.width + s.valueDim);
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const TokenPlaces places = placesOf(in.k.size(2), in.keyLayout());
        const auto keys = pooled(in.k, places), values = pooled(in.v, places);
        const auto logits = at::matmul(in.q * in.scale, keys.means.transpose(-1, -2))
                            + keys.counts.log();  // (B,H,N,C)
        if (!in.keyLogWeights.defined())
            return at::matmul(logits.softmax(-1), values.means);
        const auto weights = (in.keyLogWeights - in.keyLogWeights.amax(-1, true))
                                 .exp()
                                 .unsqueeze(-1)
                                 .to(in.k.scalar_type());  // (B,H,M,1)
        const auto mass = pooled(weights, places).means;   // (B,H,C,1)
        const auto mean = [&](const at::Tensor& x) {
            return (pooled(x * weights, places).means / mass).nan_to_num(0);
        };
        const auto weighted = withKeyWeights(
            at::matmul(in.q * in.scale, mean(in.k).transpose(-1, -2)) + keys.counts.log(), mass.squeeze(-1).log());
        return at::matmul(weighted.softmax(-1), mean(in.v));
    }

private:
    /// Each frame separately; class tokens first.
    PooledCells pooled(const at::Tensor& x, const TokenPlaces& places) const
    {
        const auto image =
            x.slice(2, places.prefix).unflatten(2, {places.frames, places.rows, places.columns});  // (B,H,T,h,w,D)
        const auto rows = partition(places.rows, cellsOf(places.rows, places), x.options());
        const auto columns = partition(places.columns, cellsOf(places.columns, places), x.options());
        const auto means = at::einsum("rh,bnthwd,cw->bntrcd", {rows, image, columns}).flatten(2, 4);
        const auto counts = at::outer(sizesOf(rows), sizesOf(columns)).flatten().repeat({places.frames});
        if (places.prefix == 0)
            return {means, counts};
        return {at::cat({x.slice(2, 0, places.prefix), means}, 2),
                at::cat({at::ones({places.prefix}, counts.options()), counts})};
    }

    int64_t cellsOf(int64_t length, const TokenPlaces& places) const
    {
        if (m_ratio > 0)
            return (length + m_ratio - 1) / m_ratio;
        const auto perFrame = std::max<int64_t>(m_samples / places.frames, 1);
        if (places.rows == 1)
            return length == 1 ? 1 : std::min(perFrame, length);
        return std::min(std::max<int64_t>(int64_t(std::sqrt(double(perFrame))), 1), length);
    }

    int64_t m_samples, m_ratio;
};

}

BackendInfo pooledKeysInfo()
{
    return {.name = "pooled-sra",
            .title = "Pooled SRA",
            .help = "softmax over means of keys in the cells of a grid: spatial reduction without weights",
            .citation = "after Wang et al., PVT v2: Improved Baselines with Pyramid Vision Transformer, CVMJ 2022 "
                        "(linear SRA)",
            .complexity = "O(C·N·D)",
            .landmarks = true,
            .look = {Hue::Linformer, Mark::Bar, {3, 6}},
            .options = {integerOption("samples", "maximum number of cells C, in the largest square grid that fits",
                                      49, 1, 16384),
                        integerOption(
                            "ratio",
                            "use cells of R×R tokens instead, as in SRA (quadratic); 0: as given by `samples`", 0,
                            0, 64),
                        keysOption()},
            .make = makeMethod<PooledKeyAttention>,
            .planCandidates = {"pooled-sra:samples=16", "pooled-sra", "pooled-sra:samples=196"}};
}

}

#include "core/attention/training_free/blocks.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_key_runs.h"
#include "core/attention/key_sets.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/attention/training_free/token_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace attnscope {

namespace {

/// Tokens by place, and which blocks of keys each block of queries keeps.
struct KeptBlocks {
    TokenBlocks blocks;
    at::Tensor q, k, v, w;  ///< by place; w may be undefined
    BlockMeans keys, values;
    /// (B,H,blocks of queries,keep) int64: the blocks of keys that each keeps, −1 behind the last.
    at::Tensor list;

    /// Of block `i` of queries, or of all of some elements: whether it keeps each block of keys, (…,blocks), bool.
    at::Tensor taken(const at::Tensor& ofSome) const
    {
        auto sizes = ofSome.sizes().vec();
        sizes.back() = blocks.count() + 1;  // the last: nothing
        const auto index = at::where(ofSome < 0, at::full({}, blocks.count(), ofSome.options()), ofSome);
        return at::zeros(sizes, ofSome.options().dtype(at::kBool))
            .scatter(-1, index, 1)
            .slice(-1, 0, blocks.count());
    }
};

/// The keys of the kept blocks, in the order of tokens.
class KeptKeySets : public KeySets {
public:
    KeptKeySets(const AttentionInput& in, const KeptBlocks& kept)
        : m_heads(in.q.size(1))
    {
        const auto flat = [](const at::Tensor& x) { return x.to(at::kCPU).flatten(0, 1).contiguous(); };
        m_blockOfQuery = flat(kept.blocks.blockOfQuery(in));
        m_blockOfKey = flat(kept.blocks.blockOfKey(in));
        m_taken = kept.taken(kept.list).to(at::kCPU, at::kFloat).flatten(0, 1);
    }

    int64_t setOf(int64_t element, int64_t head) const override { return element * m_heads + head; }
    at::Tensor rows(int64_t set, int64_t begin, int64_t end) const override
    {
        return m_taken[set]
            .index_select(0, m_blockOfQuery[set].slice(0, begin, end))
            .index_select(1, m_blockOfKey[set]);
    }

private:
    int64_t m_heads;
    at::Tensor m_blockOfQuery, m_blockOfKey, m_taken;  // (B·H,N), (B·H,M), (B·H,blocks,blocks)
};

class BlockAttention : public AttentionBackend {
public:
    BlockAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_block(spec.integer("block"))
        , m_keep(spec.integer("keep"))
        , m_coverage(spec.real("coverage"))
        , m_tail(spec.choice("tail") == "mean")
        , m_ownKernels(spec.choice("kernel") == "auto")
        , m_order(blockOrderOf(spec))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t each = s.keys / s.keyGroups, blocks = blockCount(each, m_block);
        const auto count = double(blocks), kept = double(std::min(m_keep, blocks));
        const auto both = double(s.width + s.valueDim);
        const double seen = std::min(kept * double(m_block), double(each)) + (m_tail ? count - kept : 0);
        const double head = double(each) * both + count * count * double(s.width)
                            + double(s.queries) * seen * both;
        return double(s.heads * s.keyGroups) * head;
    }

    bool deterministic() const override { return m_order != BlockOrder::Hashes; }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return computePart(in, noise).out;
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        const KeptBlocks kept = choose(in, noise);
        if (m_ownKernels && fitsCpuKernels(in, KeyWeights::Taken))
            return attendOnCpu(in, kept);
        AttentionPart part = attendPlain(in, kept);
        part.out = kept.blocks.unsorted(part.out);
        part.logNormaliser = kept.blocks.unsorted(part.logNormaliser.unsqueeze(-1)).squeeze(-1);
        return part;
    }

    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource& noise) const override
    {
        return std::make_shared<KeptKeySets>(in, choose(in, noise));
    }

    std::vector<TokenMap> computeTokenMaps(const AttentionInput& in, NoiseSource& noise,
                                           std::optional<int64_t> query) const override
    {
        const KeptBlocks kept = choose(in, noise);
        const BlockWeights weights = weightsOf(in, kept);
        const auto ofKey = kept.blocks.blockOfKey(in);  // (B,H,M)
        if (!query) {
            std::vector<TokenMap> maps{{"block", ofKey.to(weights.kept.scalar_type())}};
            if (m_tail)
                maps.push_back({"tail", weights.tail.sum(-1)});
            return maps;
        }
        const auto ofQuery = kept.blocks.blockOfQuery(in).narrow(2, *query, 1).unsqueeze(-1);  // (B,H,1,1)
        const auto taken =
            kept.taken(kept.list).gather(2, ofQuery.expand({-1, -1, -1, kept.blocks.count()})).squeeze(2);
        const auto atKeys = [&](const at::Tensor& ofBlocks, const at::Tensor& hidden) {
            return ofBlocks.select(2, *query).masked_fill(hidden, std::nan("")).gather(-1, ofKey);
        };
        std::vector<TokenMap> maps{{"kept-blocks", atKeys(weights.kept, taken.logical_not())}};
        if (m_tail)
            maps.push_back({"tail-blocks", atKeys(weights.tail, taken)});
        return maps;
    }

private:
    KeptBlocks choose(const AttentionInput& in, NoiseSource& noise) const
    {
        at::Tensor planes;
        if (m_order == BlockOrder::Hashes)
            planes = noise.sharedNormal("planes", {in.q.size(1), spec().integer("bits"), in.q.size(3)},
                                        in.q.options());
        KeptBlocks kept;
        kept.blocks = tokenBlocks(in, m_block, m_order, planes);
        kept.q = kept.blocks.sortedQueries(in.q);
        kept.k = kept.blocks.sortedKeys(in.k);
        kept.v = kept.blocks.sortedKeys(in.v);
        if (in.keyLogWeights.defined())
            kept.w = kept.blocks.sortedKeys(in.keyLogWeights.unsqueeze(-1)).squeeze(-1);
        kept.keys = blockMeans(kept.k, kept.w, kept.blocks.keyBounds);
        if (m_tail)
            kept.values = blockMeans(kept.v, kept.w, kept.blocks.keyBounds);
        kept.list = bestBlocks(in.scale, blockMeans(kept.q, {}, kept.blocks.queryBounds).means.detach(),
                               kept.keys);
        return kept;
    }

    /// A few blocks of queries at a time, so that memory grows with the tokens alone.
    at::Tensor bestBlocks(double scale, const at::Tensor& queries, const BlockMeans& keys) const
    {
        constexpr int64_t together = 32;
        const int64_t keep = std::min(m_keep, keys.means.size(2));
        const auto means = (keys.means.detach() * scale).transpose(-1, -2),
                   mass = keys.logMass.detach().unsqueeze(-2);
        std::vector<at::Tensor> lists;
        for (int64_t begin = 0; begin < queries.size(2); begin += together) {
            const auto score = at::matmul(queries.slice(2, begin, begin + together), means) + mass;
            auto best = std::get<1>(score.sort(/*stable=*/true, -1, /*descending=*/true)).slice(-1, 0, keep);
            if (m_coverage < 1) {
                const auto fraction = score.softmax(-1).gather(-1, best);
                auto unneeded = (fraction.cumsum(-1) - fraction) >= m_coverage;
                unneeded.select(-1, 0).fill_(false);
                best = best.masked_fill(unneeded, -1);
            }
            lists.push_back(best.contiguous());
        }
        return at::cat(lists, 2);
    }

    AttentionPart attendOnCpu(const AttentionInput& in, const KeptBlocks& kept) const
    {
        AttentionInput sorted = in;
        sorted.q = kept.q, sorted.k = kept.k, sorted.v = kept.v;
        sorted.keyLogWeights = kept.w;
        return keyRunsOnCpu(sorted,
                            {kept.blocks.queryBounds, kept.blocks.keyBounds, kept.list,
                             m_tail ? kept.keys.means : at::Tensor(), m_tail ? kept.values.means : at::Tensor(),
                             kept.keys.logMass, kept.blocks.queryOrder});
    }

    /// One block of queries after the other, each with all keys.
    AttentionPart attendPlain(const AttentionInput& in, const KeptBlocks& kept) const
    {
        const auto values = m_tail ? at::cat({kept.v, kept.values.means}, 2) : kept.v;
        const auto ofKey = blockOfPlace(kept);
        std::vector<at::Tensor> outputs, normalisers;
        for (size_t i = 0; i + 1 < kept.blocks.queryBounds.size(); ++i) {
            const auto logits = logitsOf(in, kept, ofKey, i);
            outputs.push_back(at::matmul(logits.softmax(-1).nan_to_num(0), values));
            normalisers.push_back(logits.logsumexp(-1));
        }
        return {at::cat(outputs, 2), at::cat(normalisers, 2)};
    }

    /// The block of each key, by place: (M).
    static at::Tensor blockOfPlace(const KeptBlocks& kept)
    {
        std::vector<int64_t> lengths;
        for (size_t i = 0; i + 1 < kept.blocks.keyBounds.size(); ++i)
            lengths.push_back(kept.blocks.keyBounds[i + 1] - kept.blocks.keyBounds[i]);
        return copiedTo(at::repeat_interleave(at::tensor(lengths, at::kLong)), kept.k.options().dtype(at::kLong));
    }

    /// Of the queries of block i, by place, to all keys and, behind them, to the means of all blocks if there is a tail; −∞: not seen.
    at::Tensor logitsOf(const AttentionInput& in, const KeptBlocks& kept, const at::Tensor& ofKey, size_t i) const
    {
        const double none = -std::numeric_limits<double>::infinity();
        const auto q = kept.q.slice(2, kept.blocks.queryBounds[i], kept.blocks.queryBounds[i + 1]) * in.scale;
        const auto taken = kept.taken(kept.list.select(2, int64_t(i)));  // (B,H,blocks)
        auto logits = withKeyWeights(at::matmul(q, kept.k.transpose(-1, -2)), kept.w)
                          .masked_fill(taken.index_select(-1, ofKey).logical_not().unsqueeze(-2), none);
        if (!m_tail)
            return logits;
        const auto rest = withKeyWeights(at::matmul(q, kept.keys.means.transpose(-1, -2)), kept.keys.logMass);
        return at::cat({logits, rest.masked_fill(taken.unsqueeze(-2), none)}, -1);
    }

    /// Every query's weights on the blocks, exact or as means, (B,H,N,blocks).
    struct BlockWeights {
        at::Tensor kept, tail;
    };
    BlockWeights weightsOf(const AttentionInput& in, const KeptBlocks& kept) const
    {
        const int64_t keys = kept.k.size(2);
        const auto ofKey = blockOfPlace(kept);
        std::vector<at::Tensor> exact, means;
        for (size_t i = 0; i + 1 < kept.blocks.queryBounds.size(); ++i) {
            const auto weights = logitsOf(in, kept, ofKey, i).softmax(-1).nan_to_num(0);
            auto sizes = weights.sizes().vec();
            sizes.back() = kept.blocks.count();
            exact.push_back(at::zeros(sizes, weights.options()).index_add(-1, ofKey, weights.slice(-1, 0, keys)));
            means.push_back(m_tail ? weights.slice(-1, keys) : at::zeros_like(exact.back()));
        }
        return {kept.blocks.unsorted(at::cat(exact, 2)), kept.blocks.unsorted(at::cat(means, 2))};
    }

    int64_t m_block, m_keep;
    double m_coverage;
    bool m_tail, m_ownKernels;
    BlockOrder m_order;
};

std::vector<OptionInfo> blockOptions()
{
    std::vector<OptionInfo> options{
        integerOption("block", "keys of a block, about", 16, 1, 4096),
        integerOption("keep", "blocks that a block of queries attends to exactly, at most", 4, 1, 4096)};
    for (OptionInfo& option : blockOrderOptions())
        options.push_back(std::move(option));
    options.push_back(choiceOption("tail", "what stands for the other blocks",
                                   {{"mean", "the mean key and value of each, with its mass", {}},
                                    {"none", "nothing: their keys are left out", {}}}));
    options.push_back(advanced(
        realOption("coverage", "share of the blocks' softmax at which no further block is kept", 1, 0, 1)));
    options.push_back(kernelOption());
    options.push_back(keysOption());
    options.push_back(seedOption());
    return options;
}

}

BackendInfo blocksInfo()
{
    return {.name = "blocks",
            .title = "Blocks",
            .help = "exact attention to the most similar blocks of keys and to the means of all others: accurate "
                    "where tokens are on a grid",
            .citation = "after Zhang et al., SpargeAttn: Accurate Sparse Attention Accelerating Any Model "
                        "Inference, ICML 2025; the tail is Attnscope's",
            .complexity = "O(N·(k·b + N/b)·D)",
            .random = true,
            .tokenComplexity = {.time = 2, .memory = 1},
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Rfa, Mark::Cup, {3, 1.5, 6, 1.5}},
            .options = blockOptions(),
            .make = makeMethod<BlockAttention>,
            .tokenMaps = {{.name = "kept-blocks",
                           .title = "Blocks kept exactly",
                           .help = "the query's weight on each block whose keys it sees one by one",
                           .tokens = TokenMapInfo::Tokens::Keys,
                           .kind = TokenMapInfo::Kind::Weight,
                           .ofQuery = true},
                          {.name = "tail-blocks",
                           .title = "Tail",
                           .help = "the query's weight on the mean of each other block",
                           .tokens = TokenMapInfo::Tokens::Keys,
                           .kind = TokenMapInfo::Kind::Weight,
                           .ofQuery = true},
                          {.name = "tail",
                           .title = "Weight of the tail",
                           .help = "every query's weight on means of blocks",
                           .kind = TokenMapInfo::Kind::Weight},
                          {.name = "block",
                           .title = "Blocks of keys",
                           .help = "keys of one block",
                           .tokens = TokenMapInfo::Tokens::Keys,
                           .kind = TokenMapInfo::Kind::Category}},
            .planCandidates = {"blocks", "blocks:block=9", "blocks:keep=8"},
            .dropIn = "blocks"};
}

}

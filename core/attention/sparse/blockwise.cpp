#include "core/attention/sparse/blockwise.h"

#include "core/attention/sparse/recorded_choice.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

int64_t ceiling(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/// A line or grid cut into blocks of nearly equal size, longer ones first: block of place i = ⌊i·n/N⌋, on
/// each axis.
struct EqualBlocks {
    int64_t rows = 1, columns = 1;  ///< of blocks; a line has one row

    EqualBlocks(const SparsePlaces& places, int64_t blocks, bool tiles)
    {
        if (!tiles || places.isLine()) {
            columns = std::min(blocks, std::max<int64_t>(places.length(), 1));
            return;
        }
        const int64_t side = integerRoot(blocks);
        rows = std::min(side, places.rows()), columns = std::min(side, places.columns());
    }

    int64_t count() const { return rows * columns; }
};

class BlockPattern : public PlacePattern {
public:
    /// permutations[set][block of the query] is the block of its keys.
    BlockPattern(SparsePlaces places, EqualBlocks blocks, std::vector<std::vector<int64_t>> permutations)
        : PlacePattern(std::move(places))
        , m_blocks(blocks)
        , m_permutations(std::move(permutations))
    {
        for (const auto& permutation : m_permutations)
            m_setOfHead.push_back(std::ranges::find(m_permutations, permutation) - m_permutations.begin());
    }

protected:
    int64_t setOfHead(int64_t head) const override { return m_setOfHead[head]; }

    void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const override
    {
        const bool line = m_blocks.rows == 1;
        const int64_t rows = line ? 1 : places().rows(), width = line ? places().length() : places().columns();
        const int64_t target = m_permutations[set][blockOf(patch)];
        const int64_t r = target / m_blocks.columns, c = target % m_blocks.columns;
        const int64_t first = ceiling(c * width, m_blocks.columns),
                      end = ceiling((c + 1) * width, m_blocks.columns);
        if (line) {
            addPlaces(first, end, keys);
            return;
        }
        for (int64_t i = ceiling(r * rows, m_blocks.rows); i < ceiling((r + 1) * rows, m_blocks.rows); ++i)
            addPlaces(i * width + first, i * width + end, keys);
    }

    bool patchesSeeTheSame(int64_t, int64_t patch, int64_t other) const override
    {
        return blockOf(patch) == blockOf(other);
    }

    void groupPatches(int64_t, int64_t, QueryGroups& groups) const override
    {
        std::vector<int32_t> blocks;
        for (int64_t patch = 0; patch < places().queryPatches(); ++patch)
            blocks.push_back(int32_t(blockOf(patch)));
        groups.addByClass(blocks, m_blocks.count(), places().queryPrefix());
    }

private:
    int64_t blockOf(int64_t patch) const
    {
        const bool line = m_blocks.rows == 1;
        const int64_t place = places().placeOfQuery(patch), width = line ? places().length() : places().columns();
        const int64_t down = line ? 0 : place / width * m_blocks.rows / places().rows();
        return down * m_blocks.columns + place % width * m_blocks.columns / width;
    }

    EqualBlocks m_blocks;
    std::vector<std::vector<int64_t>> m_permutations;
    std::vector<int64_t> m_setOfHead;
};

class BlockwiseAttention : public SparseAttention {
public:
    BlockwiseAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_blocks(spec.integer("blocks"))
        , m_identity(spec.real("identity"))
        , m_tiles(spec.flag("tiles"))
        , m_random(spec.choice("permutation") == "random")
    {
        if (const int64_t side = integerRoot(m_blocks); m_tiles && side * side != m_blocks)
            throw UsageError(spec.canonical(),
                             std::to_string(m_blocks) + " is not a square, and tiles form a square grid",
                             "the nearest are " + std::to_string(side * side) + " and "
                                 + std::to_string((side + 1) * (side + 1)));
    }

    bool deterministic() const override { return !m_random; }

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                              NoiseSource& noise) const override
    {
        const EqualBlocks blocks(places, m_blocks, m_tiles);
        auto chosen = permutations(in.q.size(1), blocks.count(), noise);
        return std::make_shared<BlockPattern>(std::move(places), blocks, std::move(chosen));
    }

private:
    std::vector<std::vector<int64_t>> permutations(int64_t heads, int64_t blocks, NoiseSource& noise) const
    {
        if (noise.holds("perm"))
            return recordedPermutations(noise, heads, blocks);
        const auto own = int64_t(std::floor(m_identity * double(heads) + 0.5));
        std::vector<std::vector<int64_t>> all;
        for (int64_t h = 0; h < heads; ++h) {
            std::vector<int64_t> order(static_cast<size_t>(blocks));
            std::iota(order.begin(), order.end(), 0);
            if (h >= own && m_random)
                order = shuffled(std::move(order), uniformNumbers(noise, "perm", h * blocks, blocks));
            else if (h >= own && blocks > 1)
                std::ranges::rotate(order, order.begin() + 1 + (h - own) % (blocks - 1)).begin();
            all.push_back(std::move(order));
        }
        return all;
    }

    /// Fisher–Yates: number t decides place t.
    static std::vector<int64_t> shuffled(std::vector<int64_t> order, const std::vector<double>& uniform)
    {
        const size_t count = order.size();
        for (size_t t = 0; t + 1 < count; ++t)
            std::swap(order[t], order[t + size_t(uniform[t] * double(count - t))]);
        return order;
    }

    static std::vector<std::vector<int64_t>> recordedPermutations(NoiseSource& noise, int64_t heads,
                                                                  int64_t blocks)
    {
        const RecordedChoice choice = recordedChoice(noise, "perm", {heads, blocks}, {0, blocks - 1});
        std::vector<std::vector<int64_t>> all;
        for (int64_t h = 0; h < heads; ++h) {
            all.emplace_back(choice.values.begin() + h * blocks, choice.values.begin() + (h + 1) * blocks);
            auto sorted = all.back();
            std::ranges::sort(sorted);
            if (std::ranges::adjacent_find(sorted) != sorted.end())
                throw UsageError("", "the recorded `perm` of head " + std::to_string(h) + " names a block twice",
                                 "it must be a permutation of 0 to " + std::to_string(blocks - 1));
        }
        return all;
    }

    int64_t m_blocks;
    double m_identity;
    bool m_tiles, m_random;
};

}

BackendInfo blockwiseInfo()
{
    return {
        .name = "blockwise",
        .title = "Blockwise",
        .help = "softmax over the keys of one block: the query's own in some heads, another block in the others",
        .citation = "Qiu et al., Blockwise Self-Attention for Long Document Understanding, Findings of EMNLP 2020",
        .complexity = "O(N²/n·D)",
        .random = true,
        .kind = AttentionKind::NeedsTraining,
        .tokenComplexity = {.time = 2, .memory = 1},
        .everyKey = false,
        .prefixSeesAll = true,
        .look = {Hue::Ra, Mark::Tee, {8, 4, 2, 4}},
        .options = {integerOption("blocks", "number of blocks n", 2, 1, 4096),
                    realOption("identity", "fraction of heads that see their own block", 0.5, 0, 1),
                    choiceOption("permutation", "which block the other heads see",
                                 {{"shift", "1, 2, … blocks further, from head to head", {}},
                                  {"random", "that of a random permutation", {}}}),
                    flagOption("tiles", "blocks are tiles of the grid; their number must be a square"),
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<BlockwiseAttention>,
        .planCandidates = {"blockwise"}};
}

}

#include "core/attention/sparse/bigbird.h"

#include "core/attention/sparse/recorded_choice.h"
#include "core/attention/sparse/sparse_backend.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Tiles of side × side places, or runs of side² on a line; the last ones may be smaller.
struct SizedBlocks {
    int64_t rows = 1, columns = 1;            ///< of blocks
    int64_t height = 1, width = 1;            ///< of a block, in places
    int64_t placeRows = 1, placeColumns = 1;  ///< of the grid or line

    SizedBlocks(const SparsePlaces& places, int64_t side, bool onGrid)
    {
        const bool grid = onGrid && !places.isLine();
        height = grid ? side : 1, width = grid ? side : side * side;
        placeRows = grid ? places.rows() : 1, placeColumns = grid ? places.columns() : places.length();
        rows = (placeRows + height - 1) / height, columns = (placeColumns + width - 1) / width;
    }

    int64_t count() const { return rows * columns; }
    int64_t blockOf(int64_t place) const
    {
        return place / placeColumns / height * columns + place % placeColumns / width;
    }

    /// The blocks within `radius` on both axes, in ascending order.
    std::vector<int64_t> around(int64_t block, int64_t radius) const
    {
        const int64_t row = block / columns, column = block % columns;
        std::vector<int64_t> near;
        for (int64_t r = std::max<int64_t>(row - radius, 0); r <= std::min(row + radius, rows - 1); ++r)
            for (int64_t c = std::max<int64_t>(column - radius, 0); c <= std::min(column + radius, columns - 1);
                 ++c)
                near.push_back(r * columns + c);
        return near;
    }
};

/// Of every head and block of queries: the blocks drawn for it; −1 is none.
struct DrawnBlocks {
    int64_t each = 0;
    std::vector<int64_t> blocks;  // (H, blocks, each)
};

struct BigbirdRule {
    int64_t radius = 1, random = 3;
    bool ends = false;
};

class BigbirdPattern : public PlacePattern {
public:
    BigbirdPattern(SparsePlaces places, SizedBlocks blocks, BigbirdRule rule, DrawnBlocks drawn)
        : PlacePattern(std::move(places))
        , m_blocks(blocks)
        , m_rule(rule)
        , m_drawn(std::move(drawn))
    {}

protected:
    int64_t setOfHead(int64_t head) const override { return m_drawn.each > 0 ? head : 0; }

    void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const override
    {
        const int64_t block = blockOf(patch), last = m_blocks.count() - 1;
        if (m_rule.ends && (block == 0 || block == last)) {
            keys.addAll();
            return;
        }
        for (const int64_t near : m_blocks.around(block, m_rule.radius))
            addBlock(near, keys);
        for (int64_t t = 0; t < m_drawn.each; ++t)
            if (const int64_t drawn = m_drawn.blocks[(set * m_blocks.count() + block) * m_drawn.each + t];
                drawn >= 0)
                addBlock(drawn, keys);
        if (m_rule.ends) {
            addBlock(0, keys);
            addBlock(last, keys);
        }
    }

    bool patchesSeeTheSame(int64_t, int64_t patch, int64_t other) const override
    {
        return blockOf(patch) == blockOf(other);
    }

    void groupPatches(int64_t, int64_t, QueryGroups& groups) const override
    {
        constexpr int64_t vector = 16;  // queries
        std::vector<int32_t> blocks;
        for (int64_t patch = 0; patch < places().queryPatches(); ++patch)
            blocks.push_back(int32_t(blockOf(patch)));
        groups.addByClass(blocks, m_blocks.count(), places().queryPrefix(), vector);
    }

private:
    int64_t blockOf(int64_t patch) const { return m_blocks.blockOf(places().placeOfQuery(patch)); }

    void addBlock(int64_t block, KeyCollector& keys) const
    {
        const int64_t top = block / m_blocks.columns * m_blocks.height,
                      left = block % m_blocks.columns * m_blocks.width;
        for (int64_t r = top; r < std::min(top + m_blocks.height, m_blocks.placeRows); ++r)
            addPlaces(r * m_blocks.placeColumns + left,
                      r * m_blocks.placeColumns + std::min(left + m_blocks.width, m_blocks.placeColumns), keys);
    }

    SizedBlocks m_blocks;
    BigbirdRule m_rule;
    DrawnBlocks m_drawn;
};

/// Number `rank` of the block ids, in ascending order, that are not in `excluded` (ascending).
int64_t candidate(int64_t rank, const std::vector<int64_t>& excluded)
{
    for (const int64_t block : excluded) {
        if (block > rank)
            break;
        ++rank;
    }
    return rank;
}

class BigbirdAttention : public SparseAttention {
public:
    BigbirdAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_side(spec.integer("block"))
        , m_rule{spec.integer("radius"), spec.integer("random"), spec.flag("ends")}
        , m_onGrid(spec.choice("places") == "grid")
    {}

    bool deterministic() const override { return m_rule.random == 0; }

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                              NoiseSource& noise) const override
    {
        const SizedBlocks blocks(places, m_side, m_onGrid);
        DrawnBlocks drawn = drawnBlocks(in.q.size(1), blocks, noise);
        return std::make_shared<BigbirdPattern>(std::move(places), blocks, m_rule, std::move(drawn));
    }

private:
    DrawnBlocks drawnBlocks(int64_t heads, const SizedBlocks& blocks, NoiseSource& noise) const
    {
        if (noise.holds("random_blocks")) {
            RecordedChoice given = recordedChoice(noise, "random_blocks", {heads, blocks.count(), -1},
                                                  {-1, blocks.count() - 1});
            return {given.sizes[2], std::move(given.values)};
        }
        DrawnBlocks drawn{m_rule.random, {}};
        if (m_rule.random == 0)
            return drawn;
        drawn.blocks.assign(size_t(heads * blocks.count() * m_rule.random), -1);
        std::vector<std::vector<int64_t>> excluded;
        for (int64_t b = 0; b < blocks.count(); ++b)
            excluded.push_back(excludedFrom(b, blocks));
        const std::vector<double> uniform = uniformNumbers(noise, "random_blocks", 0,
                                                           heads * blocks.count() * m_rule.random);
        for (int64_t at = 0; at < heads * blocks.count(); ++at)
            draw(excluded[size_t(at % blocks.count())], blocks.count(), uniform.data() + at * m_rule.random,
                 drawn.blocks.data() + at * m_rule.random);
        return drawn;
    }

    /// Blocks that are seen anyway.
    std::vector<int64_t> excludedFrom(int64_t block, const SizedBlocks& blocks) const
    {
        std::vector<int64_t> excluded = blocks.around(block, m_rule.radius);
        if (m_rule.ends) {
            excluded.insert(excluded.end(), {0, blocks.count() - 1});
            std::ranges::sort(excluded);
            excluded.erase(std::ranges::unique(excluded).begin(), excluded.end());
        }
        return excluded;
    }

    void draw(const std::vector<int64_t>& excluded, int64_t blocks, const double* uniform, int64_t* drawn) const
    {
        const int64_t candidates = blocks - int64_t(excluded.size());
        const auto picks = partialShuffle(candidates, m_rule.random, {uniform, uniform + m_rule.random});
        std::ranges::transform(picks, drawn, [&](int64_t rank) { return candidate(rank, excluded); });
    }

    int64_t m_side;
    BigbirdRule m_rule;
    bool m_onGrid;
};

}

BackendInfo bigbirdInfo()
{
    return {
        .name = "bigbird",
        .title = "BigBird",
        .help = "softmax over neighbouring blocks of tokens and a few blocks drawn at random",
        .citation = "Zaheer et al., Big Bird: Transformers for Longer Sequences, NeurIPS 2020",
        .complexity = "O(N·b²·(9+r)·D)",
        .random = true,
        .kind = AttentionKind::NeedsTraining,
        .everyKey = false,
        .prefixSeesAll = true,
        .look = {Hue::Linformer, Mark::Steps, {6, 2, 1, 2, 1, 2}},
        .options = {integerOption("block", "side b of a block in tokens; on a line, runs of b² tokens", 2, 1, 64),
                    integerOption("radius", "neighbouring blocks that are seen on each side", 1, 0, 64),
                    integerOption("random", "further blocks r, drawn for every head and block of queries", 3, 0,
                                  64),
                    flagOption("ends", "the first and the last block see all and are seen by all"), placesOption(),
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<BigbirdAttention>,
        .planCandidates = {"bigbird"}};
}

}

#include "core/attention/sparse/strided.h"

#include "core/attention/sparse/sparse_backend.h"

#include <algorithm>

namespace attnscope {

namespace {

enum class StridedSets { RowColumn, Strided, Fixed };

struct StridedRule {
    StridedSets sets = StridedSets::RowColumn;
    std::string use;
    int64_t stride = 1, summary = 1;
    bool distinct = false;
};

class StridedPattern : public PlacePattern {
public:
    StridedPattern(SparsePlaces places, StridedRule rule)
        : PlacePattern(std::move(places))
        , m_rule(std::move(rule))
    {}

protected:
    /// Twice the group of summaries, and which of the two sets where heads alternate.
    int64_t setOfHead(int64_t head) const override
    {
        const bool grouped = m_rule.distinct && m_rule.sets == StridedSets::Fixed;
        const int64_t group = grouped ? head % (m_rule.stride / m_rule.summary) : 0;
        return 2 * group + (m_rule.use == "alternate" ? head % 2 : 0);
    }

    void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const override
    {
        const int64_t place = places().placeOfQuery(patch);
        if (seesNear(set))
            addNear(place, keys);
        if (seesFar(set))
            addFar(place, set / 2, keys);
    }

    bool patchesSeeTheSame(int64_t set, int64_t patch, int64_t other) const override
    {
        const int64_t l = m_rule.stride, one = places().placeOfQuery(patch), two = places().placeOfQuery(other);
        const bool sameRun = m_rule.sets != StridedSets::Strided && one / l == two / l;
        const bool sameColumn = m_rule.sets == StridedSets::Fixed || one % l == two % l;
        return one == two || ((sameRun || !seesNear(set)) && (sameColumn || !seesFar(set)));
    }

    /// Near keys are those of a run, far ones those of a column: to see both, with most queries of a block, takes two parts.
    int64_t parts() const override { return m_rule.use == "both" && m_rule.sets != StridedSets::Fixed ? 2 : 1; }

    void groupPatches(int64_t set, int64_t part, QueryGroups& groups) const override
    {
        const bool columns = m_rule.sets != StridedSets::Fixed && (part == 1 || !seesNear(set));
        std::vector<int32_t> classes;
        for (int64_t patch = 0; patch < places().queryPatches(); ++patch) {
            const int64_t place = places().placeOfQuery(patch);
            classes.push_back(int32_t(columns ? place % m_rule.stride : place / m_rule.stride));
        }
        const int64_t runs = (places().length() + m_rule.stride - 1) / m_rule.stride;
        groups.addByClass(classes, columns ? m_rule.stride : runs, places().queryPrefix());
    }

    void listPart(int64_t set, int64_t part, std::span<const int32_t> queries, KeyBlock& block) const override
    {
        if (parts() == 1 || queries.front() < places().queryPrefix()) {
            PlacePattern::listPart(set, part, queries, block);
            return;
        }
        block.addFor(block.everyQuery());
        const int64_t first = places().placeOfQuery(queries.front() - places().queryPrefix());
        if (part == 0) {
            block.add(0, places().keyPrefix());
            if (m_rule.sets == StridedSets::RowColumn) {
                addNear(first, block);
                return;
            }
        }
        for (size_t i = 0; i < queries.size(); ++i) {
            const int64_t place = places().placeOfQuery(queries[i] - places().queryPrefix());
            block.addFor(uint64_t{1} << i);
            if (part == 0)
                addNear(place, block);
            else
                addFarOnly(place, block);
        }
    }

private:
    bool seesNear(int64_t set) const
    {
        return m_rule.use == "both" || m_rule.use == "first" || (m_rule.use == "alternate" && set % 2 == 0);
    }
    bool seesFar(int64_t set) const { return m_rule.use == "both" || !seesNear(set); }

    void addNear(int64_t place, KeyCollector& keys) const
    {
        const int64_t l = m_rule.stride, run = place / l * l;
        const bool band = m_rule.sets == StridedSets::Strided;
        addPlaces(std::max<int64_t>(band ? place - l + 1 : run, 0),
                  std::min(band ? place + l : run + l, places().length()), keys);
    }

    void addFar(int64_t place, int64_t group, KeyCollector& keys) const
    {
        const int64_t l = m_rule.stride, c = m_rule.summary, length = places().length();
        if (m_rule.sets != StridedSets::Fixed) {
            for (int64_t other = place % l; other < length; other += l)
                addPlaces(other, other + 1, keys);
            return;
        }
        for (int64_t run = 0; run < length; run += l)
            addPlaces(run + l - c * (group + 1), std::min(run + l - c * group, length), keys);
    }

    /// Without what is near as well, which is the place itself alone.
    void addFarOnly(int64_t place, KeyCollector& keys) const
    {
        for (int64_t other = place % m_rule.stride; other < places().length(); other += m_rule.stride)
            if (other != place)
                addPlaces(other, other + 1, keys);
    }

    StridedRule m_rule;
};

class StridedAttention : public SparseAttention {
public:
    StridedAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
    {
        const std::string& pattern = spec.choice("pattern");
        m_rule.sets = pattern == "fixed"     ? StridedSets::Fixed
                      : pattern == "strided" ? StridedSets::Strided
                                             : StridedSets::RowColumn;
        m_rule.use = spec.choice("use");
        m_rule.stride = spec.integer("stride");
        m_rule.summary = spec.integer("summary");
        m_rule.distinct = spec.flag("distinct");
    }

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput&, SparsePlaces places,
                                              NoiseSource&) const override
    {
        StridedRule rule = m_rule;
        if (rule.stride == 0)
            rule.stride = std::max<int64_t>(1, places.isLine() ? integerRoot(places.length()) : places.columns());
        rule.summary = std::min(rule.summary, rule.stride);
        return std::make_shared<StridedPattern>(std::move(places), std::move(rule));
    }

private:
    StridedRule m_rule;
};

}

BackendInfo stridedInfo()
{
    return {
        .name = "strided",
        .title = "Strided",
        .help = "softmax over the tokens of the query's row and column (or of its neighbourhood and "
                "every l-th token) only",
        .citation = "Child, Gray, Radford, Sutskever, Generating Long Sequences with Sparse Transformers, 2019",
        .complexity = "O(N·(l + N/l)·D)",
        .kind = AttentionKind::NeedsTraining,
        .tokenComplexity = {.time = 2, .memory = 1},
        .everyKey = false,
        .prefixSeesAll = true,
        .look = {Hue::Rfa, Mark::House, {7, 2, 2, 2, 2, 2}},
        .options =
            {choiceOption("pattern", "which two sets of keys, with a stride of l tokens",
                          {{"row-column",
                            "the run of l tokens that holds the query; tokens at the same position of every run",
                            {}},
                           {"strided", "tokens less than l away; tokens at multiples of l away", {}},
                           {"fixed", "the run that holds the query; the last `summary` tokens of every run", {}}}),
             integerOption("stride", "l in tokens; 0: the columns of the grid, or ⌊√N⌋ without one", 0, 0, 65536),
             choiceOption("use", "which of the two sets a head sees",
                          {{"both", "their union", {}},
                           {"alternate", "even heads the first, odd heads the second", {}},
                           {"first", "the first", {}},
                           {"second", "the second", {}}}),
             integerOption("summary", "pattern=fixed: tokens at the end of a run that all tokens see", 1, 1, 4096),
             advanced(flagOption("distinct", "pattern=fixed: every head has summary tokens of its own")),
             kernelOption(), keysOption()},
        .make = makeMethod<StridedAttention>,
        .planCandidates = {"strided"}};
}

}

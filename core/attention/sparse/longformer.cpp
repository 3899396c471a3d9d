#include "core/attention/sparse/longformer.h"

#include "core/attention/sparse/sparse_backend.h"

namespace attnscope {

namespace {

class WindowPattern : public PlacePattern {
public:
    WindowPattern(SparsePlaces places, SlidingWindow window, bool oddHeadsOnly, int64_t globalTokens)
        : PlacePattern(std::move(places))
        , m_window(window)
        , m_oddHeadsOnly(oddHeadsOnly)
        , m_globalKeys(spreadEvenly(globalTokens, this->places().keyPatches()))
        , m_globalQuery(size_t(this->places().queryPatches()), false)
    {
        for (const int64_t patch : spreadEvenly(globalTokens, this->places().queryPatches()))
            m_globalQuery[size_t(patch)] = true;
    }

protected:
    int64_t setOfHead(int64_t head) const override { return m_oddHeadsOnly && head % 2 == 0 ? 0 : 1; }

    void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const override
    {
        if (m_globalQuery[size_t(patch)]) {
            keys.addAll();
            return;
        }
        for (const int64_t key : m_globalKeys)
            keys.add(places().keyPrefix() + key, places().keyPrefix() + key + 1);
        const SlidingWindow window = windowOf(set);
        window.forEachRun(places(), places().placeOfQuery(patch),
                          [&](int64_t first, int64_t end) { addPlaces(first, end, keys); });
    }

    bool patchesSeeTheSame(int64_t set, int64_t patch, int64_t other) const override
    {
        return m_globalQuery[size_t(patch)] == m_globalQuery[size_t(other)]
               && PlacePattern::patchesSeeTheSame(set, patch, other);
    }

    void groupPatches(int64_t set, int64_t, QueryGroups& groups) const override
    {
        groupNeighbours(m_window.onGrid, windowOf(set).dilation, groups);
    }

private:
    SlidingWindow windowOf(int64_t set) const
    {
        return {m_window.radius, set == 0 ? 1 : m_window.dilation, m_window.onGrid};
    }

    SlidingWindow m_window;
    bool m_oddHeadsOnly;
    std::vector<int64_t> m_globalKeys;
    std::vector<bool> m_globalQuery;
};

class LongformerAttention : public SparseAttention {
public:
    LongformerAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_window{spec.integer("radius"), spec.integer("dilation"), spec.choice("places") == "grid"}
        , m_oddHeadsOnly(spec.choice("dilated") == "odd")
        , m_global(spec.integer("global"))
    {}

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput&, SparsePlaces places,
                                              NoiseSource&) const override
    {
        return std::make_shared<WindowPattern>(std::move(places), m_window, m_oddHeadsOnly, m_global);
    }

private:
    SlidingWindow m_window;
    bool m_oddHeadsOnly;
    int64_t m_global;
};

}

BackendInfo longformerInfo()
{
    return {
        .name = "longformer",
        .title = "Longformer",
        .help = "softmax inside a window that slides with the query, dilated if asked for, and over global "
                "tokens",
        .citation = "Beltagy, Peters, Cohan, Longformer, 2020; on a grid: Zhang et al., Multi-Scale Vision "
                    "Longformer, ICCV 2021",
        .complexity = "O(N·w²·D)",
        .kind = AttentionKind::NeedsTraining,
        .everyKey = false,
        .prefixSeesAll = true,
        .look = {Hue::Nystrom, Mark::Ell, {9, 2, 4, 2}},
        .options = {integerOption("radius",
                                  "tokens w that the window reaches on each side; beyond the grid it is softmax",
                                  3, 0, 256),
                    integerOption("dilation", "step d between the tokens of the window", 1, 1, 64),
                    choiceOption("dilated", "which heads are dilated",
                                 {{"all", "all heads", {}}, {"odd", "odd heads only", {}}}),
                    integerOption("global", "patch tokens, spread evenly, that see all and are seen by all", 0, 0,
                                  4096),
                    placesOption(), kernelOption(), keysOption()},
        .make = makeMethod<LongformerAttention>,
        .planCandidates = {"longformer", "longformer:global=16"}};
}

}

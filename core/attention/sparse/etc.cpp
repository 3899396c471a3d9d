#include "core/attention/sparse/etc.h"

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/numerics/kept_copies.h"
#include "core/attention/sparse/longformer.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/attention/sparse/sparse_softmax.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Which cell each place is in, ⌈(i+1)·c/n⌉ − 1 on each axis, and the number of places of each cell.
struct SummaryCells {
    std::vector<int64_t> cellOf;
    std::vector<int64_t> sizes;
    Cells ranges;

    SummaryCells(const SparsePlaces& places, int64_t samples, bool onGrid)
    {
        const bool grid = onGrid && !places.isLine();
        const int64_t side = grid ? integerRoot(samples) : 1;
        const int64_t height = grid ? places.rows() : 1, width = grid ? places.columns() : places.length();
        const int64_t down = std::min(side, height), across = std::min(grid ? side : samples, width);
        sizes.assign(size_t(down * across), 0);
        for (int64_t place = 0; place < places.length(); ++place) {
            const int64_t row = ((place / width + 1) * down - 1) / height,
                          column = ((place % width + 1) * across - 1) / width;
            cellOf.push_back(row * across + column);
            ++sizes[size_t(cellOf.back())];
        }
        ranges = {width, rangesOf(height, down), rangesOf(width, across)};
    }

    int64_t count() const { return int64_t(sizes.size()); }

private:
    /// Cell c begins at ⌊c·n/cells⌋.
    static std::vector<Cells::Range> rangesOf(int64_t n, int64_t cells)
    {
        std::vector<Cells::Range> ranges;
        for (int64_t c = 0; c < cells; ++c)
            ranges.push_back({c * n / cells, (c + 1) * n / cells});
        return ranges;
    }
};

/// Queries and their window, with summaries as keys behind the tokens. Prefix queries see the tokens alone.
class WindowAndSummaries : public PlacePattern {
public:
    WindowAndSummaries(SparsePlaces places, SlidingWindow window, std::vector<double> summaryWeights)
        : PlacePattern(std::move(places))
        , m_window(window)
        , m_summaryWeights(std::move(summaryWeights))
    {}

    int64_t keys() const override { return places().keys() + int64_t(m_summaryWeights.size()); }

    void list(int64_t set, int64_t query, KeyCollector& keys) const override
    {
        if (query >= places().queryPrefix()) {
            PlacePattern::list(set, query, keys);
            return;
        }
        keys.add(0, places().keys());
    }

protected:
    void listPatch(int64_t, int64_t patch, KeyCollector& keys) const override
    {
        m_window.forEachRun(places(), places().placeOfQuery(patch),
                            [&](int64_t first, int64_t end) { addPlaces(first, end, keys); });
        for (size_t c = 0; c < m_summaryWeights.size(); ++c)
            keys.addWeighted(places().keys() + int64_t(c), m_summaryWeights[c]);
    }

    void groupPatches(int64_t, int64_t, QueryGroups& groups) const override
    {
        groupNeighbours(m_window.onGrid, 1, groups);
    }

private:
    SlidingWindow m_window;
    std::vector<double> m_summaryWeights;  // log weight of each summary
};

/// Summaries as queries: keys [prefix | summaries | tokens], of the tokens those of the own cell.
class OwnCell : public KeyPattern {
public:
    OwnCell(int64_t prefix, const SummaryCells& cells)
        : m_before(prefix + cells.count())
        , m_members(size_t(cells.count()))
        , m_keys(m_before + int64_t(cells.cellOf.size()))
    {
        for (size_t place = 0; place < cells.cellOf.size(); ++place)
            m_members[size_t(cells.cellOf[place])].push_back(m_before + int64_t(place));
    }

    int64_t queries() const override { return int64_t(m_members.size()); }
    int64_t keys() const override { return m_keys; }
    int64_t setOf(int64_t, int64_t) const override { return 0; }
    void list(int64_t, int64_t query, KeyCollector& keys) const override
    {
        keys.add(0, m_before);
        for (const int64_t key : m_members[size_t(query)])
            keys.add(key, key + 1);
    }

private:
    int64_t m_before;
    std::vector<std::vector<int64_t>> m_members;
    int64_t m_keys;
};

/// Means over the cells of the tokens behind the prefix: x (B,H,N,D) → (B,H,C,D).
at::Tensor cellMeans(const at::Tensor& x, int64_t prefix, const SummaryCells& cells, SparseKernel kernel)
{
    if (kernel == SparseKernel::Auto && fitsCpuKernels(x))
        return cellMeansOnCpu(x.slice(2, prefix), cells.ranges);
    const auto index = indicesOn(cells.cellOf, x.options());
    const auto sizes = copiedTo(at::tensor(cells.sizes, at::kLong), x.options()).unsqueeze(-1);
    const auto sums = at::zeros({x.size(0), x.size(1), cells.count(), x.size(3)}, x.options())
                          .index_add(2, index, x.slice(2, prefix));
    return sums / sizes;
}

class EtcAttention : public SparseAttention {
public:
    EtcAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_samples(spec.integer("samples"))
        , m_window{spec.integer("radius"), 1, spec.choice("places") == "grid"}
        , m_attended(spec.choice("values") == "attended")
        , m_ownCells(spec.choice("segments") == "own")
        , m_counted(spec.flag("counted"))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const SparsePlaces places(s.queries, s.keys, tokens(), {});
        const double pairs = SparseAttention::countMultiplyAdds(s);
        if (m_samples == 0 || !m_attended || places.queryPatches() == 0)
            return pairs;
        const SummaryCells cells(places, m_samples, m_window.onGrid);
        const int64_t before = cells.count() * (places.queryPrefix() + cells.count());
        const int64_t seen = before + places.queryPatches() * (m_ownCells ? 1 : cells.count());
        return pairs + double(s.heads * seen) * double(s.width + s.valueDim);
    }

protected:
    bool takesHalf(const AttentionInput&) const override { return false; }

    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        const SparsePlaces places = placesIn(in);
        const auto sets = pattern(in, places, noise);
        if (m_samples == 0 || places.queryPatches() == 0)
            return sparseSoftmax(in, sets, kernel());
        const SummaryCells cells(places, m_samples, m_window.onGrid);
        const int64_t prefix = places.queryPrefix();
        const auto keys = cellMeans(in.k, prefix, cells, kernel());
        auto values = cellMeans(in.v, prefix, cells, kernel());
        if (m_attended)
            values = attendedValues(in, keys, values, cells, prefix);
        AttentionInput extended = in;
        extended.k = at::cat({in.k, keys}, 2);
        extended.v = at::cat({in.v, values}, 2);
        return sparseSoftmax(extended, sets, kernel());
    }

    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource& noise) const override
    {
        return keySetsOf(pattern(in, placesIn(in), noise), in.k.size(2));
    }

    std::shared_ptr<const KeyPattern> pattern(const AttentionInput&, SparsePlaces places,
                                              NoiseSource&) const override
    {
        std::vector<double> weights;
        if (m_samples > 0 && places.queryPatches() > 0)
            for (const int64_t size : SummaryCells(places, m_samples, m_window.onGrid).sizes)
                weights.push_back(m_counted ? std::log(double(size)) : 0);
        return std::make_shared<WindowAndSummaries>(std::move(places), m_window, std::move(weights));
    }

private:
    at::Tensor attendedValues(const AttentionInput& in, const at::Tensor& keys, const at::Tensor& values,
                              const SummaryCells& cells, int64_t prefix) const
    {
        const auto behindPrefix = [&](const at::Tensor& x, const at::Tensor& means) {
            return at::cat({x.slice(2, 0, prefix), means, x.slice(2, prefix)}, 2);
        };
        AttentionInput summaries = in;
        summaries.q = cellMeans(in.q, prefix, cells, kernel());
        summaries.k = behindPrefix(in.k, keys);
        summaries.v = behindPrefix(in.v, values);
        return m_ownCells ? sparseSoftmax(summaries, std::make_shared<OwnCell>(prefix, cells), kernel())
                          : exactAttention(summaries);
    }

    int64_t m_samples;
    SlidingWindow m_window;
    bool m_attended, m_ownCells, m_counted;
};

}

BackendInfo etcInfo()
{
    return {
        .name = "etc",
        .title = "ETC",
        .help = "softmax over a sliding window and over summaries of the cells of a grid, which all tokens see",
        .citation = "Ainslie et al., ETC: Encoding Long and Structured Inputs in Transformers, EMNLP 2020, "
                    "with means as global tokens",
        .complexity = "O(N·(w²+C)·D)",
        .landmarks = true,
        .everyKey = false,
        .prefixSeesAll = true,
        .ownKeysOnly = true,
        .takesKeyWeights = false,
        .look = {Hue::Lara, Mark::Bowtie, {3, 2, 3, 5}},
        .options = {integerOption("samples",
                                  "maximum number of summaries C, in the largest square grid that fits; 0: none",
                                  49, 0, 4096),
                    integerOption("radius", "tokens w that the window reaches on each side", 3, 0, 256),
                    choiceOption(
                        "values", "what a summary gives to those that see it",
                        {{"mean", "the mean of the values of its cell", {}},
                         {"attended",
                          "what its own mean query finds with a softmax over prefix, summaries and tokens",
                          {}}}),
                    choiceOption("segments", "values=attended: the tokens that a summary sees",
                                 {{"all", "all of them", {}}, {"own", "those of its cell", {}}}),
                    flagOption("counted", "a summary counts as often as it has tokens"), placesOption(),
                    kernelOption(), keysOption()},
        .make = makeMethod<EtcAttention>,
        .planCandidates = {"etc", "etc:counted=true"}};
}

}

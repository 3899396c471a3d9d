#include "core/attention/sparse/span.h"

#include "core/attention/shapes.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/attention/token_distances.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

double distance(DistanceMetric metric, int64_t down, int64_t across)
{
    const double r = std::abs(double(down)), c = std::abs(double(across));
    return metric == DistanceMetric::Euclidean   ? std::sqrt(r * r + c * c)
           : metric == DistanceMetric::Chebyshev ? std::max(r, c)
                                                 : r + c;
}

struct SpanRule {
    DistanceMetric metric = DistanceMetric::Euclidean;
    double ramp = 2;
    bool onGrid = true;
};

/// What a place sees of a row of places: all within `full` columns (−1: none), and beyond it those with a log weight, until there is none.
struct SpanOfRow {
    int64_t full = -1;
    std::vector<double> edge;

    SpanOfRow(const SpanRule& rule, double span, int64_t down, int64_t columns)
    {
        for (int64_t across = 0; across < columns; ++across) {
            const double mask = (rule.ramp + span - distance(rule.metric, down, across)) / rule.ramp;
            if (mask <= 0)
                break;
            if (mask >= 1)
                full = across;
            else
                edge.push_back(std::log(mask));
        }
    }

    bool empty() const { return full < 0 && edge.empty(); }
};

class SpanPattern : public PlacePattern {
public:
    /// spans: of each head
    SpanPattern(SparsePlaces places, SpanRule rule, const std::vector<double>& spans)
        : PlacePattern(std::move(places))
        , m_onGrid(rule.onGrid)
        , m_width(rule.onGrid && !this->places().isLine() ? this->places().columns() : this->places().length())
    {
        const int64_t height = this->places().length() / std::max<int64_t>(m_width, 1);
        for (const double span : spans) {
            m_setOfHead.push_back(std::ranges::find(spans, span) - spans.begin());
            std::vector<SpanOfRow> rows;
            for (int64_t down = 0; down < height && m_setOfHead.back() + 1 == std::ssize(m_setOfHead); ++down) {
                SpanOfRow row(rule, span, down, m_width);
                if (row.empty())
                    break;
                rows.push_back(std::move(row));
            }
            m_rows.push_back(std::move(rows));
        }
    }

protected:
    int64_t setOfHead(int64_t head) const override { return m_setOfHead[size_t(head)]; }

    void listPatch(int64_t set, int64_t patch, KeyCollector& keys) const override
    {
        const auto& rows = m_rows[size_t(set)];
        const auto reach = std::ssize(rows) - 1;
        const int64_t place = places().placeOfQuery(patch), row = place / m_width,
                      height = places().length() / m_width;
        for (int64_t r = std::max<int64_t>(row - reach, 0); r <= std::min(row + reach, height - 1); ++r)
            listRow(rows[size_t(std::abs(r - row))], r * m_width, place % m_width, keys);
    }

    void groupPatches(int64_t, int64_t, QueryGroups& groups) const override
    {
        groupNeighbours(m_onGrid, 1, groups);
    }

private:
    void listRow(const SpanOfRow& span, int64_t first, int64_t column, KeyCollector& keys) const
    {
        addPlaces(first + std::max<int64_t>(column - span.full, 0),
                  first + std::min(column + span.full + 1, m_width), keys);
        for (size_t i = 0; i < span.edge.size(); ++i) {
            const int64_t across = span.full + 1 + int64_t(i);
            if (column + across < m_width)
                addPlaceWeighted(first + column + across, span.edge[i], keys);
            if (across > 0 && across <= column)
                addPlaceWeighted(first + column - across, span.edge[i], keys);
        }
    }

    bool m_onGrid;
    int64_t m_width;
    std::vector<int64_t> m_setOfHead;
    std::vector<std::vector<SpanOfRow>> m_rows;  // of each set: at 0, 1, … rows from the query's
};

class SpanAttention : public SparseAttention {
public:
    SpanAttention(const AttentionSpec& spec, const BackendContext& context)
        : SparseAttention(spec, context)
        , m_first(spec.real("span"))
        , m_last(spec.real("span_to") < 0 ? m_first : spec.real("span_to"))
    {
        m_rule.metric = parseDistanceMetric(spec.choice("metric"));
        m_rule.ramp = spec.real("ramp");
        m_rule.onGrid = spec.choice("places") == "grid";
    }

    bool deterministic() const override { return true; }

protected:
    std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                              NoiseSource& noise) const override
    {
        return std::make_shared<SpanPattern>(std::move(places), m_rule, spans(in.q.size(1), noise));
    }

private:
    std::vector<double> spans(int64_t heads, NoiseSource& noise) const
    {
        if (noise.holds("spans"))
            return recordedSpans(noise, heads);
        std::vector<double> all;
        for (int64_t h = 0; h < heads; ++h)
            all.push_back(heads == 1 ? m_first : m_first + (m_last - m_first) * double(h) / double(heads - 1));
        return all;
    }

    static std::vector<double> recordedSpans(NoiseSource& noise, int64_t heads)
    {
        const at::Tensor given = noise.given("spans").to(at::kCPU, at::kDouble).contiguous();
        const bool fits = given.dim() == 1 && given.size(0) == heads;
        if (!fits || !((given >= 0) & (given <= 65536)).all().item<bool>())
            throw UsageError(
                "", "the recorded `spans` are " + describeShape(given.sizes()) + ", or outside their range",
                "one number from 0 to 65536 for each of " + counted(heads, "head") + " is needed");
        return {given.const_data_ptr<double>(), given.const_data_ptr<double>() + heads};
    }

    double m_first, m_last;
    SpanRule m_rule;
};

}

BackendInfo spanInfo()
{
    return {
        .name = "span",
        .title = "Adaptive span",
        .help = "softmax over the keys within a distance, with a soft edge; heads may reach differently far",
        .citation = "Sukhbaatar, Grave, Bojanowski, Joulin, Adaptive Attention Span in Transformers, ACL 2019",
        .complexity = "O(N·z²·D)",
        .kind = AttentionKind::NeedsTraining,
        .everyKey = false,
        .prefixSeesAll = true,
        .look = {Hue::Orthoformer, Mark::Crescent, {2, 2, 6, 2}},
        .options = {realOption("span", "distance z in tokens up to which keys count in full", 7, 0, 65536),
                    realOption("span_to", "z of the last head, with the heads between on a line; -1: as `span`",
                               -1, -1, 65536),
                    realOption("ramp", "width R of the edge behind z, in tokens", 2, 0.001, 65536), metricOption(),
                    placesOption(), kernelOption(), keysOption()},
        .make = makeMethod<SpanAttention>,
        .planCandidates = {"span", "span:span=3"}};
}

}

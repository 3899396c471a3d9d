// SPDX-License-Identifier: Apache-2.0
#include "core/attention/sparse/span.h"

#include "core/attention/shapes.h"
#include "core/attention/sparse/sparse_backend.h"
#include "core/attention/token_distances.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

double distance(DistanceMetric metric, std::int64_t down, std::int64_t across)
{
    const double r = std::abs(static_cast<double>(down)), c = std::abs(static_cast<double>(across));
    return metric == DistanceMetric::Euclidean   ? std::sqrt(r * r + c * c)
           : metric == DistanceMetric::Chebyshev ? std::max(r, c)
                                                 : r + c;
}

struct SpanRule {
    DistanceMetric metric = DistanceMetric::Euclidean;
    double ramp = 2;
    bool onGrid = true;
};

class SpanPattern : public PlacePattern {
public:
    SpanPattern(SparsePlaces places, SpanRule rule, std::vector<double> spans)
        : PlacePattern(std::move(places))
        , m_rule(rule)
        , m_spans(std::move(spans))
    {}

protected:
    std::int64_t setOfHead(std::int64_t head) const override
    {
        return std::find(m_spans.begin(), m_spans.end(), m_spans[static_cast<std::size_t>(head)])
               - m_spans.begin();
    }

    void listPatch(std::int64_t set, std::int64_t patch, KeyRow& row) const override
    {
        const bool grid = m_rule.onGrid && !places().isLine();
        const std::int64_t width = grid ? places().columns() : places().length(),
                           height = grid ? places().rows() : 1;
        const double span = m_spans[static_cast<std::size_t>(set)];
        const auto reach = static_cast<std::int64_t>(
            std::min(std::ceil(m_rule.ramp + span), static_cast<double>(places().length())));
        const std::int64_t place = places().placeOfQuery(patch), row0 = place / width,
                           column0 = place % width;
        for (std::int64_t r = std::max<std::int64_t>(row0 - reach, 0);
             r <= std::min(row0 + reach, height - 1); ++r)
            for (std::int64_t c = std::max<std::int64_t>(column0 - reach, 0);
                 c <= std::min(column0 + reach, width - 1); ++c) {
                const double mask = std::min(
                    (m_rule.ramp + span - distance(m_rule.metric, r - row0, c - column0)) / m_rule.ramp, 1.0);
                if (mask > 0)
                    addPlace(r * width + c, std::log(mask), row);
            }
    }

private:
    void addPlace(std::int64_t place, double logWeight, KeyRow& row) const
    {
        for (const std::int32_t key : places().keysAt(place))
            row.add(key, logWeight);
    }

    SpanRule m_rule;
    std::vector<double> m_spans;  // of each head
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
    std::vector<double> spans(std::int64_t heads, NoiseSource& noise) const
    {
        if (noise.holds("spans"))
            return recordedSpans(noise, heads);
        std::vector<double> all;
        for (std::int64_t h = 0; h < heads; ++h)
            all.push_back(
                heads == 1
                    ? m_first
                    : m_first + (m_last - m_first) * static_cast<double>(h) / static_cast<double>(heads - 1));
        return all;
    }

    static std::vector<double> recordedSpans(NoiseSource& noise, std::int64_t heads)
    {
        const at::Tensor given = noise.given("spans").to(at::kCPU, at::kDouble).contiguous();
        const bool fits = given.dim() == 1 && given.size(0) == heads;
        if (!fits || !((given >= 0) & (given <= 65536)).all().item<bool>())
            throw UsageError(
                "", "the recorded `spans` are " + describeShape(given.sizes()) + ", or outside their range",
                "one number from 0 to 65536 for each of " + std::to_string(heads) + " heads is needed");
        return {given.const_data_ptr<double>(), given.const_data_ptr<double>() + heads};
    }

    double m_first, m_last;
    SpanRule m_rule;
};

}  // namespace

BackendInfo spanInfo()
{
    return {
        .name = "span",
        .title = "Adaptive span",
        .help = "softmax over the keys within a distance, with a soft edge; heads may reach differently far",
        .citation =
            "Sukhbaatar, Grave, Bojanowski, Joulin, Adaptive Attention Span in Transformers, ACL 2019",
        .complexity = "O(N·z²·D)",
        .kind = AttentionKind::NeedsTraining,
        .everyKey = false,
        .look = {Hue::Orthoformer, Mark::Crescent, {2, 2, 6, 2}},
        .options = {realOption("span", "distance z in tokens up to which keys count in full", 7, 0, 65536),
                    realOption("span_to",
                               "z of the last head, with the heads between on a line; -1: as `span`", -1, -1,
                               65536),
                    realOption("ramp", "width R of the edge behind z, in tokens", 2, 0.001, 65536),
                    metricOption(), placesOption(), keysOption()},
        .make = makeMethod<SpanAttention>,
        .planCandidates = {"span", "span:span=3"}};
}

}  // namespace attnscope

#include "core/lab/plan/plan_layers.h"

#include "core/attention/methods/spatial_reduction.h"
#include "core/base/error.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/opened_input.h"
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/statistics.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace attnscope {

AttentionSpec overKeysOf(const AttentionSpec& exact, const AttentionSpec& spec)
{
    const bool reduced = keySource(exact) == KeySource::Reduced && spec.value("keys");
    return reduced ? spec.with("keys", std::string("reduced")) : spec;
}

CandidateLayers::CandidateLayers(const Classifier& classifier, const PlanRequest& request,
                                 const ProgressCallback& progress, std::stop_token stop)
    : m_classifier(classifier)
    , m_request(request)
    , m_progress(progress)
    , m_stop(std::move(stop))
    , m_heads(headsOf(classifier.describe()))
{
    const PreparedAttention native = m_classifier.prepare(AttentionSpec::native(), m_request.seed);
    add(native.exact, true);
    add(native.exact.with("form", std::string("explicit")), true);
    const auto addWithExact = [&](const AttentionSpec& spec, bool required) {
        if (!spec.tokens().isNone())
            add(native.exact.withTokens(spec.tokens()), true);
        add(spec, required);
    };
    for (const AttentionSpec& spec : m_request.candidates)
        addWithExact(spec, true);
    if (m_request.candidates.empty())
        for (const TokenSpec& tokens : m_request.tokens.empty() ? std::vector<TokenSpec>(1) : m_request.tokens)
            for (const AttentionSpec& spec : defaultCandidates())
                addWithExact(overKeysOf(native.exact, spec).withTokens(tokens), false);
    if (m_request.kind == PlanBudget::Error && anyMerges())
        throw UsageError("", "a budget of error does not see what merging tokens changes",
                         "use a budget of kl, accuracy or drop, or merge no tokens");
    m_layers = m_prepared.front().layers.size();
}

void CandidateLayers::add(const AttentionSpec& spec, bool required)
{
    if (std::ranges::find(m_candidates, spec) != m_candidates.end())
        return;
    try {
        if (spec.isMixed() || spec.isNative())
            throw UsageError(spec.canonical(), "a candidate is a single attention for any layer",
                             "specify it by name");
        if (spec.weights() != WeightStorage::Own)
            throw UsageError(spec.canonical(),
                             "a plan chooses attention, and weights are stored alike in all layers",
                             "leave out `;weights=`, and give it with the plan to compare or evaluate");
        m_prepared.push_back(m_classifier.prepare(spec, m_request.seed));
    } catch (const UsageError&) {
        if (required)
            throw;
        return;  // default candidates that do not fit this network are left out
    }
    if (!m_candidates.empty() && !(m_prepared.back().exact == m_prepared.front().exact)) {
        m_prepared.pop_back();
        if (required)
            throw UsageError(spec.canonical(), "it does not use the same keys as the other candidates",
                             "plan either with all keys or with reduced keys");
        return;
    }
    m_candidates.push_back(spec);
}

bool CandidateLayers::anyMerges() const
{
    return std::ranges::any_of(m_candidates, [](const AttentionSpec& spec) { return spec.tokens().merges(); });
}

size_t CandidateLayers::exactLike(size_t candidate) const
{
    const auto found = std::ranges::find(
        m_candidates, m_candidates[candidate].tokens(),
        [](const AttentionSpec& spec) -> const TokenSpec& { return spec.tokens(); });
    return size_t(found - m_candidates.begin());
}

void CandidateLayers::measure(const std::vector<InputSource>& sources, PlanReport& report)
{
    report.layers.assign(m_layers, std::vector<LayerOption>(m_candidates.size()));
    open(sources, report);
    measureErrors(report);
    drawFor(m_inputs.front());
    measureCosts(report);
}

void CandidateLayers::open(const std::vector<InputSource>& sources, PlanReport& report)
{
    forEachMeasuredView(
        sources, m_classifier, [this](NetworkInput view) { m_inputs.push_back(std::move(view)); },
        report.model.inputs, report.unreadable);
    if (m_inputs.empty())
        throw UsageError("", "none of the inputs can be read",
                         report.unreadable.empty() ? "" : report.unreadable.front().reason);
    for (size_t i = 0; i < m_inputs.size(); ++i)
        requireFinite(m_inputs[i].values, report.model.inputs[i].path);
}

void CandidateLayers::requireFinite(const at::Tensor& input, const std::string& path) const
{
    StoppableObserver observer(m_stop);
    if (!isFinite(m_classifier.logits(input, m_prepared.front(), &observer)))
        throw Unsupported(
            path, "the logits of exact attention are not finite on it, so there is nothing to compare plans with",
            "give an input and weights without NaN or infinity, or compute in float32");
}

void CandidateLayers::drawFor(const NetworkInput& input)
{
    for (PreparedAttention& prepared : m_prepared)
        prepared.drawFor(input.samples);
}

void CandidateLayers::measureErrors(PlanReport& report)
{
    const auto weight = 1 / double(m_inputs.size());
    for (size_t i = 0; i < m_inputs.size(); ++i) {
        LayerVisitor visitor(m_stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor& exact) {
            for (size_t c = 0; c < m_candidates.size(); ++c)
                report.layers[size_t(layer)][c].relativeError += weight * layerError(c, layer, in, exact);
            m_progress({"errors · layer " + std::to_string(layer), int64_t(i), int64_t(m_inputs.size())});
        });
        drawFor(m_inputs[i]);
        const auto exact = m_classifier.logits(m_inputs[i].values, m_prepared.front(), &visitor);
        measureDivergence(m_inputs[i].values, exact, weight, report);
    }
}

double CandidateLayers::layerError(size_t candidate, int64_t layer, const AttentionInput& in,
                                   const at::Tensor& exact) const
{
    const std::vector<PreparedAttention> seeds = m_prepared[candidate].overSeeds(m_request.seeds);
    double sum = 0;
    for (const PreparedAttention& drawn : seeds) {
        checkStop(m_stop);
        const auto index = size_t(layer);
        const auto heads = headDifferences(drawn.layers[index]->attend(in, *drawn.noise[index]), exact);
        for (const HeadDifference& head : heads)
            sum += head.finite ? head.relative / double(heads.size() * seeds.size())
                               : std::numeric_limits<double>::infinity();
    }
    return sum;
}

void CandidateLayers::measureDivergence(const at::Tensor& input, const at::Tensor& exact, double weight,
                                        PlanReport& report) const
{
    const auto divergenceOf = [&](const PreparedAttention& attention) {
        StoppableObserver observer(m_stop);
        return divergence(exact, m_classifier.logits(input, attention, &observer), m_heads);
    };
    std::vector<double> byMerging(m_candidates.size(), 0);  // of exact attention with the candidate's tokens
    for (size_t c = 1; c < m_candidates.size(); ++c) {
        const size_t like = exactLike(c);
        if (m_candidates[c].tokens().merges())
            byMerging[c] = like == c ? divergenceOf(m_prepared[c]) : byMerging[like];
    }
    for (size_t layer = 0; layer < m_layers; ++layer)
        for (size_t c = 1; c < m_candidates.size(); ++c) {
            PreparedAttention one = m_prepared[exactLike(c)];
            one.layers[layer] = m_prepared[c].layers[layer];
            one.noise[layer] = m_prepared[c].noise[layer];
            const double own = exactLike(c) == c ? 0 : divergenceOf(one) - byMerging[c];
            report.layers[layer][c].divergence += weight * ((own < 0 ? 0 : own) + byMerging[c] / double(m_layers));
            m_progress({"effect of layer " + std::to_string(layer) + " · " + m_candidates[c].canonical(),
                        int64_t(layer), int64_t(m_layers)});
        }
}

void CandidateLayers::measureCosts(PlanReport& report) const
{
    const at::Device device = m_classifier.device();
    std::vector<std::vector<std::vector<double>>> times(m_layers,
                                                        std::vector<std::vector<double>>(m_candidates.size()));
    std::vector<std::vector<double>> outside(m_candidates.size());  // by the first candidate with the same tokens
    std::vector<double> withExplicit;
    std::vector<size_t> order(m_candidates.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::minstd_rand random(1);
    int64_t round = 0;  // which is not counted
    const auto timePass = [&](size_t c) {
        std::vector<SectionTimer> timers;
        for (size_t layer = 0; layer < m_layers; ++layer)
            timers.emplace_back(device);
        const auto timer = [&](int64_t layer) -> SectionTimer& { return timers[size_t(layer)]; };
        LayerVisitor layers(
            m_stop, [&](int64_t layer, auto&&...) { timer(layer).end(); },
            [&](int64_t layer) { timer(layer).begin(); });
        SectionTimer whole(device);
        whole.begin();
        m_classifier.logits(m_inputs.front().values, m_prepared[c], &layers);
        whole.end();
        const double total = whole.take();
        if (round == 0)
            return;
        double inside = 0;
        for (size_t layer = 0; layer < m_layers; ++layer)
            inside += times[layer][c].emplace_back(timers[layer].take());
        outside[exactLike(c)].push_back(total - inside);
        if (c == 1)
            withExplicit.push_back(total);
    };
    takeTurns(
        std::move(order), random, timePass, [&](size_t) { return round == m_request.rounds; },
        [&](size_t) {
            m_progress({"cost of every layer", round++, m_request.rounds});
        });
    for (size_t layer = 0; layer < m_layers; ++layer)
        for (size_t c = 0; c < m_candidates.size(); ++c)
            report.layers[layer][c].milliseconds = quantile(times[layer][c], 0.5);
    report.outsideMs = quantile(outside.front(), 0.5);
    for (size_t c = 0; c < m_candidates.size(); ++c)
        report.outside.push_back(quantile(outside[exactLike(c)], 0.5));
    report.explicitMs = quantile(withExplicit, 0.5);
}

}

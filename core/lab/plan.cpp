// SPDX-License-Identifier: Apache-2.0
#include "core/lab/plan.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/spread.h"
#include "core/lab/opened_input.h"
#include "core/lab/plan_accuracy.h"
#include "core/measure/statistics.h"
#include "core/run/predictions.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace attnscope {

namespace {

/// Milliseconds inside attention, layer by layer.
class LayerTimer : public StoppableObserver {
public:
    LayerTimer(std::stop_token stop, at::Device device, std::size_t layers)
        : StoppableObserver(std::move(stop))
    {
        for (std::size_t layer = 0; layer < layers; ++layer)
            m_timers.emplace_back(device);
    }
    void beforeAttention(std::int64_t layer) override
    {
        StoppableObserver::beforeAttention(layer);
        m_timers[static_cast<std::size_t>(layer)].begin();
    }
    void afterAttention(std::int64_t layer, const AttentionInput&, const at::Tensor&) override
    {
        m_timers[static_cast<std::size_t>(layer)].end();
    }
    std::vector<double> take()
    {
        std::vector<double> milliseconds;
        for (SectionTimer& timer : m_timers)
            milliseconds.push_back(timer.take());
        return milliseconds;
    }

private:
    std::vector<SectionTimer> m_timers;
};

/// A plan for the first layers: what it costs, how far off it is, and the way there.
struct State {
    double cost = 0, error = 0;
    std::vector<std::size_t> choice;
};

/// Fastest first, each nearer than the one before; thinned where there are more than can be told apart.
std::vector<State> frontOf(std::vector<State> states)
{
    constexpr std::size_t most = 4096;
    std::sort(states.begin(), states.end(), [](const State& a, const State& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.error < b.error;
    });
    std::vector<State> front;
    for (State& state : states)
        if (front.empty() || state.error < front.back().error)
            front.push_back(std::move(state));
    if (front.size() <= most)
        return front;
    // Both ends stay: cost steps of one part in `most` of the range.
    const double step = (front.back().cost - front.front().cost) / static_cast<double>(most);
    std::vector<State> thinned{front.front()};
    for (std::size_t i = 1; i + 1 < front.size(); ++i)
        if (front[i + 1].cost - thinned.back().cost > step)
            thinned.push_back(std::move(front[i]));
    thinned.push_back(front.back());
    return thinned;
}

class Planner {
public:
    Planner(const Classifier& classifier, const PlanRequest& request, const ProgressCallback& progress,
            std::stop_token stop)
        : m_classifier(classifier)
        , m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_heads(headsOf(classifier.describe()))
    {
        m_report.kind = request.kind;
        m_report.budget = request.budget;
        prepareCandidates();
    }

    PlanReport run(const std::vector<InputSource>& sources)
    {
        RunRequest like;
        like.seed = m_request.seed;
        m_report.model = beginReport(m_classifier, like);
        const auto sampled = sampledOf(sources);
        open(sampled);
        measureErrors();
        measureCosts();
        buildPlans();
        if (needsLabels(m_request.kind))
            searchByAccuracy(sources);
        verify(sampled);
        if (!m_request.labels.empty())
            measureAccuracy(sources);
        choose();
        return std::move(m_report);
    }

private:
    void checkStop() const
    {
        if (m_stop.stop_requested())
            throw Cancelled();
    }

    void addCandidate(const AttentionSpec& spec, bool required)
    {
        if (std::find(m_candidates.begin(), m_candidates.end(), spec) != m_candidates.end())
            return;
        try {
            if (spec.isMixed() || spec.isNative())
                throw UsageError(spec.canonical(), "a candidate is one attention for any layer", "name it itself");
            m_prepared.push_back(m_classifier.prepare(spec, m_request.seed));
        } catch (const UsageError&) {
            if (required)
                throw;
            return;  // of the usual ones, those that do not fit this network are left out
        }
        if (!m_candidates.empty() && !(m_prepared.back().exact == m_prepared.front().exact)) {
            m_prepared.pop_back();
            if (required)
                throw UsageError(spec.canonical(), "its keys are not those of the other candidates",
                                 "plan with all or with reduced keys");
            return;
        }
        m_candidates.push_back(spec);
        m_report.candidates.push_back(spec.canonical());
    }

    void prepareCandidates()
    {
        const PreparedAttention native = m_classifier.prepare(AttentionSpec::native(), m_request.seed);
        addCandidate(native.exact, true);
        addCandidate(explicitOf(native.exact), true);
        const bool usual = m_request.candidates.empty();
        for (const AttentionSpec& spec : usual ? usualCandidates() : m_request.candidates)
            addCandidate(spec, !usual);
        m_layers = m_prepared.front().layers.size();
        m_report.layers.assign(m_layers, std::vector<LayerOption>(m_candidates.size()));
    }

    static AttentionSpec explicitOf(const AttentionSpec& exact)
    {
        return exact.with("form", std::string("explicit"));
    }

    /// With labels there may be hundreds of inputs, of which a few tell what errors and costs are.
    std::vector<InputSource> sampledOf(const std::vector<InputSource>& sources) const
    {
        if (m_request.labels.empty())
            return sources;
        std::vector<InputSource> sampled;
        for (const std::size_t i :
             spreadOver(sources.size(), static_cast<std::size_t>(std::max<std::int64_t>(m_request.sampled, 1))))
            sampled.push_back(sources[i]);
        return sampled;
    }

    void open(const std::vector<InputSource>& sources)
    {
        for (const InputSource& source : sources) {
            try {
                m_inputs.push_back(openMeasuredView(source, m_classifier));
                InputRecord record;
                record.path = source.path, record.kind = source.kind;
                m_report.model.inputs.push_back(std::move(record));
            } catch (const UsageError& error) {
                m_report.unreadable.push_back({source.path, error.reason()});
            } catch (const FileError& error) {
                m_report.unreadable.push_back({source.path, error.reason()});
            }
        }
        if (m_inputs.empty())
            throw UsageError("", "none of the inputs can be read",
                             m_report.unreadable.empty() ? "" : m_report.unreadable.front().reason);
    }

    void measureErrors()
    {
        const auto weight = 1 / static_cast<double>(m_inputs.size());
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            LayerVisitor visitor(
                m_stop, [&](std::int64_t layer, const AttentionInput& in, const at::Tensor& exact) {
                    for (std::size_t c = 0; c < m_candidates.size(); ++c)
                        m_report.layers[static_cast<std::size_t>(layer)][c].relativeError +=
                            weight * layerError(c, layer, in, exact);
                    m_progress({"errors · layer " + std::to_string(layer), static_cast<std::int64_t>(i),
                                static_cast<std::int64_t>(m_inputs.size())});
                });
            const auto exact = m_classifier.logits(m_inputs[i], m_prepared.front(), &visitor);
            measureDivergence(m_inputs[i], exact, weight);
        }
    }

    double layerError(std::size_t candidate, std::int64_t layer, const AttentionInput& in, const at::Tensor& exact)
    {
        const PreparedAttention& prepared = m_prepared[candidate];
        const std::int64_t seeds = prepared.deterministic ? 1 : m_request.seeds;
        double sum = 0;
        for (std::int64_t seed = 0; seed < seeds; ++seed) {
            checkStop();
            const PreparedAttention drawn = reseeded(prepared, static_cast<std::uint64_t>(seed));
            const auto index = static_cast<std::size_t>(layer);
            const auto heads = headDifferences(drawn.layers[index]->attend(in, *drawn.noise[index]), exact);
            for (const HeadDifference& head : heads)
                sum += head.finite
                           ? head.relative / static_cast<double>(heads.size() * static_cast<std::size_t>(seeds))
                           : std::numeric_limits<double>::infinity();
        }
        return sum;
    }

    void measureDivergence(const at::Tensor& input, const at::Tensor& exact, double weight)
    {
        for (std::size_t layer = 0; layer < m_layers; ++layer)
            for (std::size_t c = 1; c < m_candidates.size(); ++c) {
                PreparedAttention one = m_prepared.front();
                one.layers[layer] = m_prepared[c].layers[layer];
                one.noise[layer] = m_prepared[c].noise[layer];
                StoppableObserver observer(m_stop);
                m_report.layers[layer][c].divergence +=
                    weight * divergence(exact, m_classifier.logits(input, one, &observer), m_heads);
                m_progress({"effect of layer " + std::to_string(layer) + " · " + m_report.candidates[c],
                            static_cast<std::int64_t>(layer), static_cast<std::int64_t>(m_layers)});
            }
    }

    /// Every candidate once a round, in random order: what disturbs the machine disturbs all.
    void measureCosts()
    {
        const at::Device device = m_classifier.device();
        std::vector<std::vector<std::vector<double>>> times(m_layers,
                                                            std::vector<std::vector<double>>(m_candidates.size()));
        std::vector<double> outside, withExplicit;
        std::vector<std::size_t> order(m_candidates.size());
        for (std::size_t c = 0; c < order.size(); ++c)
            order[c] = c;
        std::minstd_rand random(1);
        for (std::int64_t round = -1; round < m_request.rounds; ++round) {  // the first is not counted
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t c : order) {
                LayerTimer layers(m_stop, device, m_layers);
                SectionTimer whole(device);
                whole.begin();
                m_classifier.logits(m_inputs.front(), m_prepared[c], &layers);
                whole.end();
                const double total = whole.take();
                const std::vector<double> each = layers.take();
                if (round < 0)
                    continue;
                double inside = 0;
                for (std::size_t layer = 0; layer < m_layers; ++layer)
                    times[layer][c].push_back(each[layer]), inside += each[layer];
                outside.push_back(total - inside);
                if (c == 1)
                    withExplicit.push_back(total);
            }
            m_progress({"cost of every layer", round + 1, m_request.rounds});
        }
        for (std::size_t layer = 0; layer < m_layers; ++layer)
            for (std::size_t c = 0; c < m_candidates.size(); ++c)
                m_report.layers[layer][c].milliseconds = quantile(times[layer][c], 0.5);
        m_report.outsideMs = quantile(outside, 0.5);
        m_report.explicitMs = quantile(withExplicit, 0.5);
    }

    /// What a plan is off by, as its budget sees it: answers change with the divergence of the classes.
    double effectOf(const LayerOption& option) const
    {
        return m_request.kind == PlanBudget::Divergence || needsLabels(m_request.kind) ? option.divergence
                                                                                       : option.relativeError;
    }

    Plan planOf(const std::vector<std::size_t>& choice) const
    {
        Plan plan;
        plan.choice = choice;
        plan.predictedMs = m_report.outsideMs;
        std::vector<AttentionSpec> specs;
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            const LayerOption& option = m_report.layers[layer][choice[layer]];
            plan.predictedMs += option.milliseconds;
            plan.predictedError += option.relativeError / static_cast<double>(m_layers);
            plan.predictedDivergence += option.divergence;
            specs.push_back(m_candidates[choice[layer]]);
        }
        const AttentionSpec spec = AttentionSpec::perLayer(specs);
        plan.attention = spec.canonical();
        plan.uniform = !spec.isMixed();
        return plan;
    }

    /// Errors of layers add up (they are a mean over layers), and so do costs: the front of the first n layers is all that matters of
    /// them to the next.
    void buildPlans()
    {
        std::vector<State> front{{}};
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            std::vector<State> next;
            for (const State& state : front)
                for (std::size_t c = 0; c < m_candidates.size(); ++c) {
                    const LayerOption& option = m_report.layers[layer][c];
                    if (!std::isfinite(effectOf(option)))
                        continue;
                    State longer = state;
                    longer.cost += option.milliseconds;
                    longer.error += effectOf(option);
                    longer.choice.push_back(c);
                    next.push_back(std::move(longer));
                }
            front = frontOf(std::move(next));
        }
        for (const State& state : front)
            m_report.front.push_back(planOf(state.choice));
        for (std::size_t c = 0; c < m_candidates.size(); ++c)
            m_report.uniform.push_back(planOf(std::vector<std::size_t>(m_layers, c)));
        std::sort(m_report.uniform.begin(), m_report.uniform.end(),
                  [](const Plan& a, const Plan& b) { return a.predictedMs < b.predictedMs; });
    }

    double limitMs() const
    {
        return m_request.kind == PlanBudget::Latency ? m_request.budget
               : m_request.kind == PlanBudget::Speed ? m_report.explicitMs / m_request.budget
                                                     : std::numeric_limits<double>::infinity();
    }

    /// As predicted. The front is sorted: the nearest within a budget of time is the last that fits, the fastest within one of error the
    /// first.
    bool fits(const Plan& plan) const
    {
        switch (m_request.kind) {
        case PlanBudget::Latency:
        case PlanBudget::Speed:
            return plan.predictedMs <= limitMs();
        case PlanBudget::Error:
            return plan.predictedError <= m_request.budget;
        case PlanBudget::Divergence:
            return plan.predictedDivergence <= m_request.budget;
        case PlanBudget::Accuracy:
        case PlanBudget::Drop:
            break;
        }
        return m_leastRight && plan.attention == m_report.front[*m_leastRight].attention;
    }

    /// The fastest of the front that keeps the accuracy: along it divergence falls, so that halving finds it.
    void searchByAccuracy(const std::vector<InputSource>& sources)
    {
        if (m_request.kind == PlanBudget::Drop)
            m_exactAccuracy = accuracyOf(m_report.candidates.front(), sources);
        std::size_t low = 0, high = m_report.front.size() - 1;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (keepsAccuracy(accuracyOf(m_report.front[middle].attention, sources)))
                high = middle;
            else
                low = middle + 1;
        }
        m_leastRight = low;
    }

    double accuracyOf(const std::string& attention, const std::vector<InputSource>& sources) const
    {
        const RightAnswers answers = countRight(m_classifier, {sources, m_request.labels},
                                                {AttentionSpec::parse(attention)}, m_request.seed, m_progress, m_stop);
        return static_cast<double>(answers.right.front()) / static_cast<double>(std::max<std::int64_t>(answers.samples, 1));
    }

    bool keepsAccuracy(double accuracy) const
    {
        constexpr double rounding = 1e-9;  // shares of whole answers, as floating point has them
        const double wanted = m_request.kind == PlanBudget::Drop ? m_exactAccuracy - m_request.budget : m_request.budget;
        return accuracy >= wanted - rounding;
    }

    bool isTimeBudget() const
    {
        return m_request.kind == PlanBudget::Latency || m_request.kind == PlanBudget::Speed;
    }

    /// Plans to measure: the best as predicted, and others spread over the front.
    std::vector<std::size_t> toVerify() const
    {
        std::vector<std::size_t> wanted;
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < m_report.front.size(); ++i)
            if (fits(m_report.front[i]) && (!best || isTimeBudget()))
                best = i;
        if (best) {
            wanted.push_back(*best);
            // The next nearer to the safe side, should the best one miss its budget when measured as a whole.
            const std::size_t stride = std::max<std::size_t>(1, m_report.front.size() / 20);
            if (isTimeBudget() && *best >= stride)
                wanted.push_back(*best - stride);
            if (!isTimeBudget() && *best + stride < m_report.front.size())
                wanted.push_back(*best + stride);
        }
        const auto count = static_cast<std::size_t>(std::max<std::int64_t>(m_request.verified, 1));
        for (std::size_t i = 0; wanted.size() < count && i < count; ++i)
            wanted.push_back(i * (m_report.front.size() - 1) / std::max<std::size_t>(count - 1, 1));
        std::sort(wanted.begin(), wanted.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        return wanted;
    }

    class Forward : public RunObserver {
    public:
        explicit Forward(const ProgressCallback& progress)
            : m_progress(progress)
        {}
        void onProgress(std::size_t, std::size_t, RunStage, const Progress& progress) override
        {
            m_progress({"checking · " + progress.what, progress.done, progress.total});
        }

    private:
        const ProgressCallback& m_progress;
    };

    void verify(const std::vector<InputSource>& sources)
    {
        const auto chosen = toVerify();
        RunRequest request;
        request.seed = m_request.seed;
        request.seeds = m_request.seeds;
        request.memory = false;
        request.minimumSeconds = 0.5;
        const auto add = [&](const std::string& text) {
            const AttentionSpec spec = AttentionSpec::parse(text);
            if (std::find(request.attention.begin(), request.attention.end(), spec) == request.attention.end())
                request.attention.push_back(spec);
        };
        for (const std::size_t i : chosen)
            add(m_report.front[i].attention);
        for (const Plan& plan : m_report.uniform)
            add(plan.attention);
        Forward observer(m_progress);
        const RunReport measured = attnscope::run(m_classifier, sources, request, observer, m_stop);
        for (const std::size_t i : chosen)
            take(measured, m_report.front[i]);
        for (Plan& plan : m_report.uniform)
            take(measured, plan);
    }

    /// Latency of the first input, as candidates' costs were; the rest is the mean over inputs.
    void take(const RunReport& measured, Plan& plan) const
    {
        double error = 0, kl = 0, agreement = 0, count = 0;
        for (const InputRecord& input : measured.inputs)
            for (const RunRecord& run : input.runs) {
                if (run.attention != plan.attention || !run.failure.empty() || !run.error || !run.endToEnd)
                    continue;
                if (!plan.latency)
                    plan.latency = run.latency;
                count += 1, error += run.error->error.relative, kl += run.endToEnd->kl,
                    agreement += run.endToEnd->top1Agreement;
            }
        if (count == 0)
            return;
        plan.error = error / count, plan.divergence = kl / count, plan.agreement = agreement / count;
    }

    /// Of the plans that were measured: their answers to all inputs.
    void measureAccuracy(const std::vector<InputSource>& sources)
    {
        std::vector<Plan*> plans;
        std::vector<AttentionSpec> specs;
        for (auto* list : {&m_report.front, &m_report.uniform})
            for (Plan& plan : *list)
                if (plan.latency && plan.error) {
                    plans.push_back(&plan);
                    specs.push_back(AttentionSpec::parse(plan.attention));
                }
        const RightAnswers answers =
            countRight(m_classifier, {sources, m_request.labels}, specs, m_request.seed, m_progress, m_stop);
        m_report.unreadable = answers.unreadable;
        m_report.labelled = answers.samples;
        for (std::size_t i = 0; i < plans.size() && answers.samples > 0; ++i)
            plans[i]->accuracy = static_cast<double>(answers.right[i]) / static_cast<double>(answers.samples);
    }

    bool keepsBudget(const Plan& plan) const
    {
        switch (m_request.kind) {
        case PlanBudget::Latency:
        case PlanBudget::Speed: {
            // Against explicit softmax as it was measured beside the plans, not minutes before.
            double limit = limitMs();
            for (const Plan& uniform : m_report.uniform)
                if (m_request.kind == PlanBudget::Speed && uniform.attention == m_report.candidates[1]
                    && uniform.latency)
                    limit = uniform.latency->medianMs / m_request.budget;
            return plan.latency->medianMs <= limit;
        }
        case PlanBudget::Error:
            return *plan.error <= m_request.budget;
        case PlanBudget::Divergence:
            return *plan.divergence <= m_request.budget;
        case PlanBudget::Accuracy:
        case PlanBudget::Drop:
            break;
        }
        return plan.accuracy && keepsAccuracy(*plan.accuracy);
    }

    void choose()
    {
        std::vector<Plan> measured;
        for (const auto& list : {m_report.front, m_report.uniform})
            for (const Plan& plan : list)
                if (plan.latency && plan.error && keepsBudget(plan))
                    measured.push_back(plan);
        const auto better = [this](const Plan& a, const Plan& b) {
            if (!isTimeBudget())
                return a.latency->medianMs < b.latency->medianMs;
            return *a.error != *b.error ? *a.error < *b.error : a.latency->medianMs < b.latency->medianMs;
        };
        const auto best = std::min_element(measured.begin(), measured.end(), better);
        if (best == measured.end()) {
            m_report.advice = "no plan that was measured keeps the budget: the fastest takes about "
                              + formatMilliseconds(m_report.front.front().predictedMs).text()
                              + ", the nearest is exact softmax";
            return;
        }
        m_report.chosen = *best;
        m_report.advice = best->uniform ? "one attention in every layer is best here"
                                        : "layers with attentions of their own are best here";
    }

    const Classifier& m_classifier;
    const PlanRequest& m_request;
    const ProgressCallback& m_progress;
    std::stop_token m_stop;
    std::vector<std::int64_t> m_heads;
    std::vector<AttentionSpec> m_candidates;  // the first is exact, the second explicit softmax
    std::vector<PreparedAttention> m_prepared;
    std::size_t m_layers = 0;
    std::vector<at::Tensor> m_inputs;
    double m_exactAccuracy = 0;
    std::optional<std::size_t> m_leastRight;  ///< of the front, where a budget of accuracy looked for it
    PlanReport m_report;
};

}  // namespace

std::vector<AttentionSpec> usualCandidates()
{
    std::vector<AttentionSpec> specs;
    for (const char* text : {"lara:samples=16", "lara", "lara:samples=100", "nystrom:samples=16",
                             "nystrom:samples=49", "pooled-sra:samples=16", "pooled-sra", "pooled-sra:samples=196",
                             "local", "local:margin=3", "performer:samples=32"})
        specs.push_back(AttentionSpec::parse(text));
    return specs;
}

const char* toText(PlanBudget kind)
{
    switch (kind) {
    case PlanBudget::Latency:
        return "latency";
    case PlanBudget::Speed:
        return "speed";
    case PlanBudget::Error:
        return "error";
    case PlanBudget::Divergence:
        return "kl";
    case PlanBudget::Drop:
        return "drop";
    case PlanBudget::Accuracy:
        break;
    }
    return "accuracy";
}

bool needsLabels(PlanBudget kind)
{
    return kind == PlanBudget::Accuracy || kind == PlanBudget::Drop;
}

PlanReport planAttention(const Classifier& classifier, const std::vector<InputSource>& inputs,
                         const PlanRequest& request, const ProgressCallback& progress, std::stop_token stop)
{
    if (inputs.empty())
        throw UsageError("", "there is no input to plan on", "give a picture or a video");
    if (!request.labels.empty() && request.labels.size() != inputs.size())
        throw UsageError("", std::to_string(request.labels.size()) + " classes for " + std::to_string(inputs.size()) + " inputs",
                         "give one for each input");
    if (needsLabels(request.kind) && request.labels.empty())
        throw UsageError("", std::string("a budget of ") + toText(request.kind) + " needs the classes of the inputs",
                         "give a labelled folder");
    const c10::InferenceMode guard;
    const ProgressCallback silent = [](const Progress&) {};
    return Planner(classifier, request, progress ? progress : silent, std::move(stop)).run(inputs);
}

}  // namespace attnscope

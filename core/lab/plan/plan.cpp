#include "core/lab/plan/plan.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/spread.h"
#include "core/base/text.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/plan/plan_accuracy.h"
#include "core/lab/plan/plan_layers.h"
#include "core/measure/paired_ratio.h"
#include "core/run/measures.h"
#include "core/run/predictions.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace attnscope {

namespace {

/// A plan for the first layers: its cost, its error, and the choices that led to it.
struct State {
    double cost = 0, error = 0;
    std::vector<size_t> choice;
};

/// Fastest first, each more accurate than the one before; thinned out if there are too many to distinguish.
std::vector<State> frontOf(std::vector<State> states)
{
    constexpr size_t most = 4096;
    std::ranges::sort(states, [](const State& a, const State& b) {
        return a.cost != b.cost ? a.cost < b.cost : a.error < b.error;
    });
    std::vector<State> front;
    for (State& state : states)
        if (front.empty() || state.error < front.back().error)
            front.push_back(std::move(state));
    if (front.size() <= most)
        return front;
    // Both ends are kept: steps in cost of 1/`most` of the range.
    const double step = (front.back().cost - front.front().cost) / double(most);
    std::vector<State> thinned{front.front()};
    for (size_t i = 1; i + 1 < front.size(); ++i)
        if (front[i + 1].cost - thinned.back().cost > step)
            thinned.push_back(std::move(front[i]));
    thinned.push_back(front.back());
    return thinned;
}

bool isFaster(const Plan& a, const Plan& b)
{
    return modelTime(*a.latency).mid < modelTime(*b.latency).mid;
}

/// The quantity that the budget concerns; smaller is better.
double lossOf(const Plan& plan, PlanBudget kind)
{
    if (needsLabels(kind))
        return 1 - plan.accuracy.value_or(0);
    return kind == PlanBudget::Divergence ? *plan.divergence : plan.error.value_or(0);
}

/// What a budget of time is to keep: errors at the same q, k and v don't see what merging tokens changes.
PlanBudget lossKind(const std::vector<Plan>& plans, PlanBudget kind)
{
    const bool merges = std::ranges::any_of(plans,
                                            [](const Plan& plan) { return !isAttentionAlone(plan.attention); });
    return merges && !needsLabels(kind) ? PlanBudget::Divergence : kind;
}

class Planner {
public:
    Planner(const Classifier& classifier, const PlanRequest& request, const ProgressCallback& progress,
            std::stop_token stop)
        : m_classifier(classifier)
        , m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_table(classifier, request, progress, m_stop)
        , m_candidates(m_table.candidates())
    {
        m_report.kind = request.kind;
        m_report.budget = request.budget;
        for (const AttentionSpec& spec : m_candidates)
            m_report.candidates.push_back(spec.canonical());
    }

    PlanReport run(const std::vector<InputSource>& sources)
    {
        m_report.model = beginReport(m_classifier, {.seed = m_request.seed});
        const auto sampled = sampledOf(sources);
        m_table.measure(sampled, m_report);
        buildPlans();
        try {
            if (needsLabels(m_request.kind))
                searchByAccuracy(sources);
            verify(sampled);
            if (!m_request.labels.empty())
                measureAccuracy(sources);
            choose();
        } catch (const Cancelled&) {
            m_report.complete = false;
            m_report.advice = "stopped before a plan was chosen";
        }
        return std::move(m_report);
    }

private:
    /// With labels there may be hundreds of inputs, of which a few suffice for errors and costs.
    std::vector<InputSource> sampledOf(const std::vector<InputSource>& sources) const
    {
        if (m_request.labels.empty())
            return sources;
        std::vector<InputSource> sampled;
        for (const size_t i : spreadOver(sources.size(), size_t(std::max<int64_t>(m_request.sampled, 1))))
            sampled.push_back(sources[i]);
        return sampled;
    }

    /// The error of a plan in terms of its budget: predictions change with the divergence of the classes.
    double effectOf(const LayerOption& option) const
    {
        return m_request.kind == PlanBudget::Divergence || needsLabels(m_request.kind) || m_table.anyMerges()
                   ? option.divergence
                   : option.relativeError;
    }

    Plan planOf(const std::vector<size_t>& choice) const
    {
        Plan plan;
        plan.choice = choice;
        plan.predictedMs = m_report.outside[choice.front()];
        std::vector<AttentionSpec> specs;
        for (size_t layer = 0; layer < m_report.layers.size(); ++layer) {
            const LayerOption& option = m_report.layers[layer][choice[layer]];
            plan.predictedMs += option.milliseconds;
            plan.predictedError += option.relativeError / double(m_report.layers.size());
            plan.predictedDivergence += option.divergence;
            specs.push_back(m_candidates[choice[layer]].withTokens({}));
        }
        const AttentionSpec spec = AttentionSpec::perLayer(specs).withTokens(
            m_candidates[choice.front()].tokens());
        plan.attention = spec.canonical();
        plan.uniform = !spec.isMixed();
        return plan;
    }

    /// Errors of layers add up (they are a mean over layers), and so do costs: the front of the first n layers is all that the next layer
    /// needs to know of them. Tokens merge in all layers alike.
    std::vector<State> frontWith(const TokenSpec& tokens) const
    {
        std::vector<State> front{{}};
        for (size_t layer = 0; layer < m_report.layers.size(); ++layer) {
            std::vector<State> next;
            for (const State& state : front)
                for (size_t c = 0; c < m_candidates.size(); ++c) {
                    const LayerOption& option = m_report.layers[layer][c];
                    if (!(m_candidates[c].tokens() == tokens) || !std::isfinite(effectOf(option))
                        || !std::isfinite(option.divergence))
                        continue;
                    State longer = state;
                    longer.cost += option.milliseconds + (layer == 0 ? m_report.outside[c] : 0);
                    longer.error += effectOf(option);
                    longer.choice.push_back(c);
                    next.push_back(std::move(longer));
                }
            front = frontOf(std::move(next));
            if (front.empty())
                throw Unsupported("layer " + std::to_string(layer), "the output of no attention is finite there",
                                  "give an input and weights without NaN or infinity, or compute in float32");
        }
        return front;
    }

    void buildPlans()
    {
        std::vector<State> all;
        std::vector<TokenSpec> known;
        for (const AttentionSpec& spec : m_candidates) {
            if (std::ranges::find(known, spec.tokens()) != known.end())
                continue;
            known.push_back(spec.tokens());
            std::ranges::move(frontWith(spec.tokens()), std::back_inserter(all));
        }
        for (const State& state : frontOf(std::move(all)))
            m_report.front.push_back(planOf(state.choice));
        for (size_t c = 0; c < m_candidates.size(); ++c)
            m_report.uniform.push_back(planOf(std::vector<size_t>(m_report.layers.size(), c)));
        std::ranges::sort(m_report.uniform,
                          [](const Plan& a, const Plan& b) { return a.predictedMs < b.predictedMs; });
    }

    double limitMs() const
    {
        return m_request.kind == PlanBudget::Latency ? m_request.budget
               : m_request.kind == PlanBudget::Speed ? m_report.explicitMs / m_request.budget
                                                     : std::numeric_limits<double>::infinity();
    }

    /// As predicted. The front is sorted: the most accurate within a budget of time is the last that fits, the fastest within one of error
    /// the first.
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
        return m_firstAccurate && plan.attention == m_report.front[*m_firstAccurate].attention;
    }

    /// The fastest of the front that preserves the accuracy: divergence falls along it, so that bisection finds it.
    void searchByAccuracy(const std::vector<InputSource>& sources)
    {
        if (m_request.kind == PlanBudget::Drop)
            m_exactAccuracy = accuracyOf(m_report.candidates.front(), sources);
        size_t low = 0, high = m_report.front.size() - 1;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (keepsAccuracy(accuracyOf(m_report.front[middle].attention, sources)))
                high = middle;
            else
                low = middle + 1;
        }
        m_firstAccurate = low;
    }

    double accuracyOf(const std::string& attention, const std::vector<InputSource>& sources) const
    {
        const CorrectPredictions predictions = countRight(m_classifier, {sources, m_request.labels},
                                                          {AttentionSpec::parse(attention)}, m_request.seed,
                                                          m_progress, m_stop);
        return double(predictions.right.front()) / double(std::max<int64_t>(predictions.samples, 1));
    }

    bool keepsAccuracy(double accuracy) const
    {
        constexpr double rounding = 1e-9;  // floating-point tolerance for fractions of whole predictions
        const double wanted = m_request.kind == PlanBudget::Drop ? m_exactAccuracy - m_request.budget
                                                                 : m_request.budget;
        return accuracy >= wanted - rounding;
    }

    bool isTimeBudget() const
    {
        return m_request.kind == PlanBudget::Latency || m_request.kind == PlanBudget::Speed;
    }

    /// Plans to measure: the best as predicted, and others spread over the front.
    std::vector<size_t> toVerify() const
    {
        std::vector<size_t> wanted;
        std::optional<size_t> best;
        for (size_t i = 0; i < m_report.front.size(); ++i)
            if (fits(m_report.front[i]) && (!best || isTimeBudget()))
                best = i;
        if (best) {
            wanted.push_back(*best);
            // The next more accurate plan, in case the best one misses its budget when measured as a whole.
            const size_t stride = std::max<size_t>(1, m_report.front.size() / 20);
            if (isTimeBudget() && *best >= stride)
                wanted.push_back(*best - stride);
            if (!isTimeBudget() && *best + stride < m_report.front.size())
                wanted.push_back(*best + stride);
        }
        const auto count = size_t(std::max<int64_t>(m_request.verified, 1));
        for (size_t i = 0; wanted.size() < count && i < count; ++i)
            wanted.push_back(i * (m_report.front.size() - 1) / std::max<size_t>(count - 1, 1));
        std::ranges::sort(wanted);
        wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
        return wanted;
    }

    class Forward : public RunObserver {
    public:
        explicit Forward(const ProgressCallback& progress)
            : m_progress(progress)
        {}
        void onProgress(size_t, size_t, RunStage, const Progress& progress) override
        {
            m_progress({"checking · " + progress.what, progress.done, progress.total});
        }

    private:
        const ProgressCallback& m_progress;
    };

    void verify(const std::vector<InputSource>& sources)
    {
        const auto chosen = toVerify();
        RunRequest request{
            .seed = m_request.seed, .seeds = m_request.seeds, .memory = false, .minimumSeconds = 0.5};
        const auto add = [&](const std::string& text) {
            const AttentionSpec spec = AttentionSpec::parse(text);
            if (std::ranges::find(request.attention, spec) == request.attention.end())
                request.attention.push_back(spec);
        };
        for (const size_t i : chosen)
            add(m_report.front[i].attention);
        for (const Plan& plan : m_report.uniform)
            add(plan.attention);
        Forward observer(m_progress);
        const RunReport measured = attnscope::run(m_classifier, sources, request, observer, m_stop);
        for (const size_t i : chosen)
            take(measured, m_report.front[i]);
        for (Plan& plan : m_report.uniform)
            take(measured, plan);
    }

    /// Latency of the first input, like candidates' costs; everything else is the mean over inputs, and not finite if it is not for one of
    /// them.
    void take(const RunReport& measured, Plan& plan) const
    {
        double error = 0, errors = 0, kl = 0, agreement = 0, count = 0;
        for (const InputRecord& input : measured.inputs)
            for (const RunRecord& run : input.runs) {
                if (run.attention != plan.attention || !run.failure.empty() || !run.endToEnd)
                    continue;
                if (!plan.latency)
                    plan.latency = run.latency;
                count += 1, kl += run.endToEnd->kl, agreement += run.endToEnd->top1Agreement;
                if (run.error)
                    errors += 1, error += run.error->notFinite > 0 ? std::nan("") : run.error->error.relative;
            }
        if (count == 0)
            return;
        plan.divergence = kl / count, plan.agreement = agreement / count;
        if (errors > 0)
            plan.error = error / errors;
    }

    /// Runs the measured plans on all inputs.
    void measureAccuracy(const std::vector<InputSource>& sources)
    {
        std::vector<Plan*> plans;
        std::vector<AttentionSpec> specs;
        for (auto* list : {&m_report.front, &m_report.uniform})
            for (Plan& plan : *list)
                if (plan.latency && plan.divergence) {
                    plans.push_back(&plan);
                    specs.push_back(AttentionSpec::parse(plan.attention));
                }
        const CorrectPredictions predictions = countRight(m_classifier, {sources, m_request.labels}, specs,
                                                          m_request.seed, m_progress, m_stop);
        m_report.unreadable = predictions.unreadable;
        m_report.labelled = predictions.samples;
        for (size_t i = 0; i < plans.size() && predictions.samples > 0; ++i)
            plans[i]->accuracy = double(predictions.right[i]) / double(predictions.samples);
    }

    /// A plan with non-finite results is not a plan, however fast.
    static bool isFinite(const Plan& plan)
    {
        return std::isfinite(plan.error.value_or(0)) && std::isfinite(*plan.divergence);
    }

    bool keepsBudget(const Plan& plan) const
    {
        switch (m_request.kind) {
        case PlanBudget::Latency:
        case PlanBudget::Speed: {
            // Relative to explicit softmax as measured together with the plans, not minutes before.
            double limit = limitMs();
            for (const Plan& uniform : m_report.uniform)
                if (m_request.kind == PlanBudget::Speed && uniform.attention == m_report.candidates[1]
                    && uniform.latency)
                    limit = modelTime(*uniform.latency).mid / m_request.budget;
            return modelTime(*plan.latency).mid <= limit;
        }
        case PlanBudget::Error:
            return plan.error && *plan.error <= m_request.budget;
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
                if (plan.latency && plan.divergence && isFinite(plan) && keepsBudget(plan))
                    measured.push_back(plan);
        const Plan* best = bestPlan(measured, m_request.kind);
        if (best == nullptr) {
            m_report.advice = "no measured plan meets the budget; the fastest takes about "
                              + formatMilliseconds(m_report.front.front().predictedMs).text()
                              + ", and the most accurate is exact softmax";
            return;
        }
        m_report.chosen = *best;
        m_report.advice = best->uniform ? "one attention in every layer is best here"
                                        : "a mix of attentions is best here";
        const auto fastest = std::ranges::min_element(measured, isFaster);
        if (!isTimeBudget() && modelTime(*fastest->latency).mid < modelTime(*best->latency).mid)
            m_report.advice += "; " + fastest->attention + " also meets the budget, and its "
                               + timeText(*fastest->latency) + " is not clearly less than "
                               + timeText(*best->latency);
    }

    const Classifier& m_classifier;
    const PlanRequest& m_request;
    const ProgressCallback& m_progress;
    std::stop_token m_stop;
    CandidateLayers m_table;
    const std::vector<AttentionSpec>& m_candidates;  // the first is exact, the second explicit softmax
    double m_exactAccuracy = 0;
    std::optional<size_t> m_firstAccurate;  ///< in the front, if a budget of accuracy looked for it
    PlanReport m_report;
};

}

const Plan* bestPlan(const std::vector<Plan>& plans, PlanBudget kind)
{
    const auto fastest = std::ranges::min_element(plans, isFaster);
    const bool limitsTime = kind == PlanBudget::Latency || kind == PlanBudget::Speed;
    const PlanBudget wanted = lossKind(plans, kind);
    const Plan* best = nullptr;
    for (const Plan& plan : plans) {
        if (!limitsTime && compareSpeed(*plan.latency, *fastest->latency).speed == Speed::Slower)
            continue;
        const double loss = lossOf(plan, wanted);
        if (best == nullptr || loss < lossOf(*best, wanted)
            || (loss == lossOf(*best, wanted) && isFaster(plan, *best)))
            best = &plan;
    }
    return best;
}

namespace {

/// Its drop-in form first: of equal plans the first is kept.
std::vector<std::string> candidatesOf(const BackendInfo& info)
{
    std::vector<std::string> texts = info.planCandidates;
    if (!texts.empty() && !info.dropIn.empty() && std::ranges::find(texts, info.dropIn) == texts.end())
        texts.insert(texts.begin(), info.dropIn);
    return texts;
}

}

std::vector<AttentionSpec> defaultCandidates()
{
    std::vector<AttentionSpec> specs, last;  // random features last: of equal plans the first is kept
    for (const BackendInfo& info : backends())
        for (const std::string& text : candidatesOf(info))
            (info.landmarks || !info.random ? specs : last).push_back(AttentionSpec::parse(text));
    specs.insert(specs.end(), last.begin(), last.end());
    return specs;
}

const char* toText(PlanBudget kind)
{
    constexpr const char* names[] = {"latency", "speed", "error", "kl", "accuracy", "drop"};
    return names[size_t(kind)];
}

bool needsLabels(PlanBudget kind)
{
    return kind == PlanBudget::Accuracy || kind == PlanBudget::Drop;
}

PlanReport planAttention(const Classifier& classifier, const std::vector<InputSource>& inputs,
                         const PlanRequest& request, const ProgressCallback& progress, std::stop_token stop)
{
    if (inputs.empty())
        throw UsageError("", "there is no input to plan with", "give an image or a video");
    requireClasses(classifier.describe());
    if (!request.labels.empty() && request.labels.size() != inputs.size())
        throw UsageError("",
                         counted(std::ssize(request.labels), "class", "classes") + " for "
                             + counted(std::ssize(inputs), "input"),
                         "give one per input");
    if (needsLabels(request.kind) && request.labels.empty())
        throw UsageError("",
                         std::string("a budget of ") + toText(request.kind) + " needs the classes of the inputs",
                         "give a labelled folder");
    const c10::InferenceMode guard;
    const ProgressCallback known = orSilent(progress);
    return Planner(classifier, request, known, std::move(stop)).run(inputs);
}

}

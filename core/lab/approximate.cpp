#include "core/lab/approximate.h"

#include "core/attention/backend_info.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/lab/opened_subject.h"
#include "core/lab/power_law.h"
#include "core/lab/seed_statistics.h"
#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attnscope {

namespace {

/// Sums of one point over layers, heads and inputs.
class PointSums {
public:
    using LayerOfHead = std::function<size_t(size_t head)>;

    void add(const SeedStatistics& one, int64_t layers, const LayerOfHead& layerOf)
    {
        m_seeds.resize(std::max(m_seeds.size(), one.seeds.size()));
        m_layers.resize(size_t(layers));
        for (size_t seed = 0; seed < one.seeds.size(); ++seed)
            for (size_t head = 0; head < one.seeds[seed].size(); ++head) {
                const HeadDifference& difference = m_seeds[seed].emplace_back(one.seeds[seed][head]);
                if (difference.finite)
                    m_layers[layerOf(head)].push_back(difference.mse);
            }
        for (size_t head = 0; head < one.variance.size(); ++head) {
            if (!std::isfinite(one.variance[head]))
                continue;
            m_biasSquared.push_back(one.biasSquared[head]);
            m_variance.push_back(one.variance[head]);
        }
    }

    bool empty() const { return m_seeds.empty(); }
    void addPairs(const AllowedPairs& pairs) { m_pairs += pairs; }
    FallbackTally& fallbacks() { return m_fallbacks; }

    void finish(CurvePoint& point) const
    {
        point.emptyRows = m_pairs.emptyFraction();
        if (m_pairs.emptyRows > 0)
            point.notes.push_back(m_pairs.emptyRowsNote());
        m_fallbacks.addTo(point.notes);
        const double none = std::nan("");
        point.error = errorOverSeeds(m_seeds);
        point.parts = m_variance.empty()
                          ? ErrorParts{none, none}
                          : ErrorParts{meanAndStddev(m_biasSquared).mean, meanAndStddev(m_variance).mean};
        std::vector<double> relative;
        for (const auto& heads : m_seeds)
            for (const HeadDifference& head : heads) {
                point.notFinite += head.finite ? 0 : 1;
                if (head.finite)
                    relative.push_back(head.relative);
            }
        point.medianRelative = quantile(relative, 0.5);
        point.seeds = std::ssize(m_seeds);
        for (const auto& layer : m_layers)
            point.layerMse.push_back(layer.empty() ? none : meanAndStddev(layer).mean);
    }

private:
    std::vector<std::vector<HeadDifference>> m_seeds;  // [seed][head]
    std::vector<std::vector<double>> m_layers;         // [layer]
    std::vector<double> m_biasSquared, m_variance;
    AllowedPairs m_pairs;
    FallbackTally m_fallbacks;
};

struct Baselines {
    std::vector<double> zero, meanMse, meanRelative;

    /// v (B,H,M,Dv), exact (B,H,N,Dv) or with groups.
    void add(const at::Tensor& v, const at::Tensor& exact)
    {
        for (const HeadDifference& head :
             headDifferences(layersAsHeads(meanOfValues(v, exact)), layersAsHeads(exact))) {
            meanMse.push_back(head.mse);
            meanRelative.push_back(head.relative);
        }
        zero.push_back(exact.to(at::kDouble).square().mean().item<double>());
    }
};

/// One point of a curve being computed.
struct Task {
    size_t curve = 0;
    AttentionSpec spec = AttentionSpec::native();
    CurvePoint point;
    PointSums sums;
};

AttentionSpec withSamples(const AttentionSpec& spec, int64_t samples)
{
    const BackendInfo* info = findBackend(spec.backend());
    return info->withSamples == nullptr ? spec.with("samples", samples) : info->withSamples(spec, samples);
}

void addTask(std::vector<Task>& tasks, std::vector<Curve>& curves, const AttentionSpec& spec, int64_t samples)
{
    Task task;
    task.curve = curves.size() - 1;
    task.point.samples = samples;
    try {
        task.spec = samples > 0 ? withSamples(spec, samples) : spec;
        task.point.attention = task.spec.canonical();
    } catch (const UsageError& error) {
        task.point.attention = spec.canonical();
        task.point.unavailable = error.what();
    }
    tasks.push_back(std::move(task));
}

void checkRequest(const ApproximateRequest& request)
{
    if (request.attention.empty() && request.flat.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    for (const auto* specs : {&request.attention, &request.flat})
        for (const AttentionSpec& spec : *specs)
            if (spec != spec.alone())
                throw UsageError(
                    spec.canonical(),
                    "errors at the same q, k and v don't depend on what the network does with tokens and weights",
                    "leave out `;tokens=` and `;weights=`");
    for (const int64_t samples : request.samples)
        if (samples < 1 || samples > 1 << 20)
            throw UsageError("--samples", std::to_string(samples) + " is not a valid number of samples",
                             "give a number from 1 to 1048576");
}

std::vector<Task> tasksOf(const ApproximateRequest& request, std::vector<Curve>& curves)
{
    checkRequest(request);
    std::vector<Task> tasks;
    const auto add = [&](const AttentionSpec& spec, bool flat) {
        curves.push_back(
            {spec.canonical(), spec.backend(), flat || spec.isMixed() || !spec.samples(), {}, {}, {}});
        if (curves.back().flat)
            return addTask(tasks, curves, spec, 0);
        for (const int64_t samples : request.samples)
            addTask(tasks, curves, spec, samples);
    };
    for (const AttentionSpec& spec : request.attention)
        add(spec, false);
    for (const AttentionSpec& spec : request.flat)
        add(spec, true);
    return tasks;
}

constexpr double roundingError = 1e-6;  // relative, in float32: the attention is exact

/// Where the error is more than rounding.
std::optional<double> powerOf(const std::vector<CurvePoint>& points)
{
    std::vector<PowerPoint> larger;
    for (const CurvePoint& point : points)
        if (point.samples > 0 && std::isfinite(point.error.mse) && point.error.relative > roundingError)
            larger.push_back({double(point.samples), point.error.mse});
    return fitPower(larger);
}

void finish(std::vector<Task>& tasks, const Baselines& baselines, ApproximateReport& report)
{
    for (Task& task : tasks) {
        if (task.point.unavailable.empty())
            task.sums.finish(task.point);
        report.curves[task.curve].points.push_back(std::move(task.point));
    }
    if (!report.complete)
        std::erase_if(report.curves, [](const Curve& curve) { return curve.points.empty(); });
    for (Curve& curve : report.curves) {
        curve.power = curve.flat ? std::nullopt : powerOf(curve.points);
        for (const CurvePoint& point : curve.points)
            if (!curve.varianceTimesSamples && point.samples > 0 && point.parts.variance > 0)
                curve.varianceTimesSamples = point.parts.variance * double(point.samples);
    }
    report.meanSquare = meanAndStddev(baselines.zero).mean;
    const auto mse = meanAndStddev(baselines.meanMse), relative = meanAndStddev(baselines.meanRelative);
    report.meanOfValues = {mse.mean, 0, relative.mean, 0};
}

/// A point that can't be computed, for whatever reason, gets a message; the others continue.
template <typename Work>
void guarded(Task& task, const Work& work)
{
    if (!task.point.unavailable.empty())
        return;
    task.point.unavailable = failureOf(task.point.attention, {}, work);
}

/// The q, k, v of every layer of an exact pass are passed to every point.
class Curves {
public:
    Curves(OpenedSubject subject, const ApproximateRequest& request, const ProgressCallback& progress,
           std::stop_token stop)
        : m_subject(std::move(subject))
        , m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_tasks(tasksOf(request, m_report.curves))
    {
        prepare();
    }

    ApproximateReport run()
    {
        m_subject.describe(m_report, m_request.seed);
        std::vector<InputRecord> inputs;
        try {
            forEachMeasuredView(
                m_subject.inputs, *m_subject.network, [this](const NetworkInput& view) { runInput(view); }, inputs,
                m_report.unreadable);
        } catch (const Cancelled&) {
            std::erase_if(m_tasks,
                          [](const Task& task) { return task.point.unavailable.empty() && task.sums.empty(); });
            if (m_tasks.empty())
                throw;
            m_report.complete = false;
        }
        m_report.inputs = std::max<int64_t>(std::ssize(inputs), m_report.complete ? 0 : 1);
        if (m_report.model)
            m_report.model->inputs = std::move(inputs);
        if (m_report.inputs > 0)
            finish(m_tasks, m_baselines, m_report);
        return std::move(m_report);
    }

private:
    void prepare()
    {
        std::optional<AttentionSpec> exact;
        m_prepared.resize(m_tasks.size());
        for (size_t i = 0; i < m_tasks.size(); ++i) {
            if (m_tasks[i].spec.isNative())
                std::ignore = m_subject.network->prepare(m_tasks[i].spec, m_request.seed);  // tensors have none
            guarded(m_tasks[i], [&] {
                PreparedAttention prepared = m_subject.network->prepare(m_tasks[i].spec, m_request.seed);
                if (exact && !(*exact == prepared.exact))
                    throw UsageError(m_tasks[i].spec.canonical(),
                                     "its exact attention uses different keys than that of " + m_exactOf,
                                     "measure all keys and reduced keys separately");
                if (!exact)
                    exact = prepared.exact, m_exactOf = m_tasks[i].spec.canonical(),
                    m_report.exact = prepared.exactMeaning;
                m_tasks[i].point.notes = prepared.notes;
                m_tasks[i].point.deterministic = prepared.deterministic;
                m_prepared[i] = prepared.overSeeds(m_request.seeds);
            });
        }
        if (!exact && m_subject.isNetwork)
            throw UsageError("", m_tasks.front().point.unavailable);
        m_exact = m_subject.network->prepare(exact.value_or(AttentionSpec::reference()), m_request.seed);
    }

    void runInput(const NetworkInput& input)
    {
        m_exact.drawFor(input.samples);
        for (auto& seeds : m_prepared)
            for (PreparedAttention& prepared : seeds)
                prepared.drawFor(input.samples);
        LayerVisitor visitor(m_stop, [this](int64_t layer, const AttentionInput& in, const at::Tensor& out) {
            takeLayer(layer, in, layersAsHeads(out));
            m_baselines.add(in.v, out);
        });
        m_subject.network->logits(input.values, m_exact, &visitor);
    }

    /// `exact`: (1,B·H,…), of tensors the heads of all layers.
    void takeLayer(int64_t layer, const AttentionInput& in, const at::Tensor& exact)
    {
        const int64_t passes = std::ssize(m_exact.layers), tasks = std::ssize(m_tasks), heads = in.q.size(1);
        m_report.layers = passes * in.q.size(0), m_report.heads = heads, m_report.width = in.q.size(3);
        m_report.tokens = std::max(m_report.tokens, in.q.size(2));
        for (int64_t i = 0; i < tasks; ++i) {
            checkStop(m_stop);
            Task& task = m_tasks[size_t(i)];
            m_progress({task.point.attention, layer * tasks + i, passes * tasks});
            guarded(task, [&] {
                const std::vector<PreparedAttention>& drawn = m_prepared[size_t(i)];
                const auto attend = [&](int64_t seed) {
                    checkStop(m_stop);
                    const PreparedAttention& prepared = drawn[size_t(seed)];
                    const auto index = size_t(layer);
                    task.sums.addPairs(prepared.layers[index]->allowedPairs(in, *prepared.noise[index]));
                    const CountFallbacks counting(task.sums.fallbacks());
                    return layersAsHeads(prepared.layers[index]->attend(in, *prepared.noise[index]));
                };
                task.sums.add(overSeeds(std::ssize(drawn), attend, exact), m_report.layers,
                              [&](size_t head) { return size_t(layer) + head / size_t(heads); });
            });
        }
    }

    const OpenedSubject m_subject;
    const ApproximateRequest& m_request;
    const ProgressCallback m_progress;
    std::stop_token m_stop;
    ApproximateReport m_report;
    std::vector<Task> m_tasks;
    std::vector<std::vector<PreparedAttention>> m_prepared;  // [task][seed]
    PreparedAttention m_exact;
    std::string m_exactOf;
    Baselines m_baselines;
};

}

ApproximateReport approximate(const LabSubject& subject, const ApproximateRequest& request,
                              const ProgressCallback& progress, std::stop_token stop)
{
    return onSubject(subject, [&] {
        return Curves(openSubject(subject, TensorLayers::Together), request, orSilent(progress), stop).run();
    });
}

}

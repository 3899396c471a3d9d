// SPDX-License-Identifier: Apache-2.0
#include "core/lab/approximate.h"

#include "core/attention/backend_info.h"
#include "core/attention/landmarks.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/dumped_layers.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/seed_statistics.h"
#include "core/measure/statistics.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace attnscope {

namespace {

/// Sums of one point over layers, heads and inputs.
class PointSums {
public:
    using LayerOfHead = std::function<std::size_t(std::size_t head)>;

    void add(const SeedStatistics& one, std::int64_t layers, const LayerOfHead& layerOf)
    {
        m_seeds.resize(std::max(m_seeds.size(), one.seeds.size()));
        m_layers.resize(static_cast<std::size_t>(layers));
        for (std::size_t seed = 0; seed < one.seeds.size(); ++seed)
            for (std::size_t head = 0; head < one.seeds[seed].size(); ++head) {
                const HeadDifference& difference = m_seeds[seed].emplace_back(one.seeds[seed][head]);
                if (difference.finite)
                    m_layers[layerOf(head)].push_back(difference.mse);
            }
        for (std::size_t head = 0; head < one.variance.size(); ++head) {
            if (!std::isfinite(one.variance[head]))
                continue;
            m_biasSquared.push_back(one.biasSquared[head]);
            m_variance.push_back(one.variance[head]);
        }
    }

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
    std::size_t curve = 0;
    AttentionSpec spec = AttentionSpec::native();
    CurvePoint point;
    PointSums sums;
};

AttentionSpec withSamples(const AttentionSpec& spec, std::int64_t samples)
{
    const BackendInfo* info = findBackend(spec.backend());
    return info->withSamples == nullptr ? spec.with("samples", samples) : info->withSamples(spec, samples);
}

void addTask(std::vector<Task>& tasks, std::vector<Curve>& curves, const AttentionSpec& spec, std::int64_t samples)
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
                throw UsageError(spec.canonical(), "errors at the same q, k and v don't depend on what the network does with tokens and weights",
                                 "leave out `;tokens=` and `;weights=`");
    for (const std::int64_t samples : request.samples)
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
        for (const std::int64_t samples : request.samples)
            addTask(tasks, curves, spec, samples);
    };
    for (const AttentionSpec& spec : request.attention)
        add(spec, false);
    for (const AttentionSpec& spec : request.flat)
        add(spec, true);
    return tasks;
}

constexpr double roundingError = 1e-6;  // relative, in float32: the attention is exact

/// Slope of log mse over log samples, where the error is more than rounding.
std::optional<double> powerOf(const std::vector<CurvePoint>& points)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const CurvePoint& point : points) {
        if (point.samples < 1 || !std::isfinite(point.error.mse) || !(point.error.relative > roundingError))
            continue;
        const double a = std::log(static_cast<double>(point.samples)), b = std::log(point.error.mse);
        n += 1, x += a, y += b, xx += a * a, xy += a * b;
    }
    const double spread = n * xx - x * x;
    return n < 2 || spread <= 0 ? std::nullopt : std::optional((n * xy - x * y) / spread);
}

void finish(std::vector<Task>& tasks, const Baselines& baselines, ApproximateReport& report)
{
    for (Task& task : tasks) {
        if (task.point.unavailable.empty())
            task.sums.finish(task.point);
        report.curves[task.curve].points.push_back(std::move(task.point));
    }
    for (Curve& curve : report.curves) {
        curve.power = curve.flat ? std::nullopt : powerOf(curve.points);
        for (const CurvePoint& point : curve.points)
            if (!curve.varianceTimesSamples && point.samples > 0 && point.parts.variance > 0)
                curve.varianceTimesSamples = point.parts.variance * static_cast<double>(point.samples);
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

/// The curves on a model: the q, k, v of every layer of an exact pass are passed to every point.
class ModelCurves {
public:
    ModelCurves(const Classifier& classifier, const ApproximateRequest& request, const ProgressCallback& progress,
                std::stop_token stop)
        : m_classifier(classifier)
        , m_request(request)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_tasks(tasksOf(request, m_report.curves))
    {
        prepare();
    }

    ApproximateReport run(const std::vector<InputSource>& inputs)
    {
        m_report.model = beginReport(m_classifier, {.seed = m_request.seed});
        m_report.source = m_classifier.describe().name;
        forEachMeasuredView(inputs, m_classifier, [this](const NetworkInput& view) { runInput(view); }, m_report.model->inputs,
                            m_report.unreadable);
        m_report.inputs = static_cast<std::int64_t>(m_report.model->inputs.size());
        if (m_report.inputs > 0)
            finish(m_tasks, m_baselines, m_report);
        return std::move(m_report);
    }

private:
    void prepare()
    {
        std::optional<AttentionSpec> exact;
        m_prepared.resize(m_tasks.size());
        for (std::size_t i = 0; i < m_tasks.size(); ++i)
            guarded(m_tasks[i], [&] {
                PreparedAttention prepared = m_classifier.prepare(m_tasks[i].spec, m_request.seed);
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
        if (!exact)
            throw UsageError("", m_tasks.front().point.unavailable);
        m_exact = m_classifier.prepare(*exact, m_request.seed);
    }

    void runInput(const NetworkInput& input)
    {
        m_exact.drawFor(input.samples);
        for (auto& seeds : m_prepared)
            for (PreparedAttention& prepared : seeds)
                prepared.drawFor(input.samples);
        LayerVisitor visitor(m_stop, [this](std::int64_t layer, const AttentionInput& in, const at::Tensor& out) {
            takeLayer(layer, in, out);
        });
        m_classifier.logits(input.values, m_exact, &visitor);
    }

    void takeLayer(std::int64_t layer, const AttentionInput& in, const at::Tensor& exact)
    {
        const auto layers = static_cast<std::int64_t>(m_exact.layers.size());
        m_report.layers = layers, m_report.heads = in.q.size(1), m_report.width = in.q.size(3);
        m_report.tokens = std::max(m_report.tokens, in.q.size(2));
        m_baselines.add(in.v, exact);
        for (std::size_t i = 0; i < m_tasks.size(); ++i) {
            checkStop(m_stop);
            m_progress({m_tasks[i].point.attention, layer, layers});
            guarded(m_tasks[i], [&] {
                const auto seeds = static_cast<std::int64_t>(m_prepared[i].size());
                const auto attend = [&](std::int64_t seed) {
                    const PreparedAttention& prepared = m_prepared[i][static_cast<std::size_t>(seed)];
                    const auto index = static_cast<std::size_t>(layer);
                    m_tasks[i].sums.addPairs(prepared.layers[index]->allowedPairs(in, *prepared.noise[index]));
                    const CountFallbacks counting(m_tasks[i].sums.fallbacks());
                    return prepared.layers[index]->attend(in, *prepared.noise[index]);
                };
                m_tasks[i].sums.add(overSeeds(seeds, attend, exact), layers,
                                    [&](std::size_t) { return static_cast<std::size_t>(layer); });
            });
        }
    }

    const Classifier& m_classifier;
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

/// The curves for given q, k, v, each (layers, heads, tokens, channels).
class TensorCurves {
public:
    TensorCurves(const AttentionInput& in, const ApproximateRequest& request, const ProgressCallback& progress,
                 const std::stop_token& stop)
        : m_in(in)
        , m_request(request)
        , m_progress(progress)
        , m_stop(stop)
        , m_context{in.q.size(1), in.q.size(3), in.tokens, {}}
    {}

    ApproximateReport run(const std::string& source, double temperature)
    {
        ApproximateReport report;
        std::vector<Task> tasks = tasksOf(m_request, report.curves);
        report.source = source;
        report.layers = m_in.q.size(0), report.heads = m_in.q.size(1), report.tokens = m_in.q.size(2),
        report.width = m_in.q.size(3);
        report.inputs = 1;
        report.temperature = temperature;
        SeededNoise none(0, 0);
        const auto exact = makeBackend(AttentionSpec::reference(), m_context)->attend(m_in, none);
        Baselines baselines;
        baselines.add(m_in.v, exact);
        std::int64_t done = 0;
        for (Task& task : tasks) {
            if (task.spec.isNative() && task.point.unavailable.empty())
                throw UsageError("native", "without a model, native attention is undefined for these tensors",
                                 "specify the attention by name");
            guarded(task, [&] { measure(task, exact); });
            m_progress({task.point.attention, ++done, static_cast<std::int64_t>(tasks.size())});
        }
        finish(tasks, baselines, report);
        return report;
    }

private:
    void measure(Task& task, const at::Tensor& exact) const
    {
        const auto backend = makeBackend(task.spec, m_context);
        task.point.notes = backend->notes();
        task.point.deterministic = backend->deterministic();
        const auto attend = [&](std::int64_t seed) {
            checkStop(m_stop);
            SeededNoise noise(task.spec.seedOr(m_request.seed) + static_cast<std::uint64_t>(seed), 0);
            task.sums.addPairs(backend->allowedPairs(m_in, noise));
            const CountFallbacks counting(task.sums.fallbacks());
            return layersAsHeads(backend->attend(m_in, noise));
        };
        const auto statistics = overSeeds(backend->deterministic() ? 1 : m_request.seeds, attend,
                                          layersAsHeads(exact));
        task.sums.add(statistics, m_in.q.size(0),
                      [&](std::size_t head) { return head / static_cast<std::size_t>(m_in.q.size(1)); });
    }

    const AttentionInput& m_in;
    const ApproximateRequest& m_request;
    const ProgressCallback m_progress;
    const std::stop_token& m_stop;
    BackendContext m_context;
};

}  // namespace

AttentionInput randomAttentionInput(const RandomAttention& random)
{
    constexpr std::int64_t most = std::int64_t{1} << 26;  // maximum size of each of q, k and v
    if (random.tokens < 1 || random.width < 1 || random.heads < 1 || random.tokens > most / random.width
        || random.heads > most / (random.tokens * random.width))
        throw UsageError("random numbers",
                         std::to_string(random.heads) + " heads of " + std::to_string(random.tokens) + " tokens and "
                             + std::to_string(random.width) + " channels cannot be created",
                         "each must be at least 1, and their product at most " + std::to_string(most));
    SeededNoise noise(random.seed, 0);
    const auto draw = [&](const char* name) {
        return noise.normal(name, {1, random.heads, random.tokens, random.width},
                            at::TensorOptions(at::kFloat).device(at::Device(random.device)));
    };
    AttentionInput in;
    const double scale = std::sqrt(random.temperature);  // applied to q and k alike, as random features depend on each
    in.q = draw("random q") * scale, in.k = draw("random k") * scale, in.v = draw("random v");
    in.scale = 1 / std::sqrt(static_cast<double>(random.width));
    if (const std::int64_t side = squareRoot(random.tokens); side > 0)
        in.tokens = {0, 1, side, side};
    return in;
}

ApproximateReport approximate(const Classifier& classifier, const std::vector<InputSource>& inputs,
                              const ApproximateRequest& request, const ProgressCallback& progress,
                              std::stop_token stop)
{
    const c10::InferenceMode guard;
    return ModelCurves(classifier, request, orSilent(progress), std::move(stop)).run(inputs);
}

ApproximateReport approximate(const DumpedAttention& dump, const ApproximateRequest& request,
                              const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return guardTorch(dump.file.string(), [&] {
        const AttentionInput in = readDumpedLayers(dump);
        return TensorCurves(in, request, orSilent(progress), stop).run(dump.file.string(), dump.temperature);
    });
}

ApproximateReport approximate(const RandomAttention& random, const ApproximateRequest& request,
                              const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    return guardTorch("random numbers", [&] {
        const AttentionInput in = randomAttentionInput(random);
        return TensorCurves(in, request, orSilent(progress), stop).run("random numbers", random.temperature);
    });
}

}  // namespace attnscope

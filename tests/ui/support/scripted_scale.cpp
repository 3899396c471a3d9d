#include "tests/ui/support/scripted_scale.h"
#include "tests/support/timed_rounds.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"

#include <chrono>
#include <cmath>
#include <thread>

namespace attnscope::ui::test {

namespace {

void pause(int milliseconds, std::stop_token stop)
{
    for (int i = 0; i < milliseconds && !stop.stop_requested(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stop.stop_requested())
        throw Cancelled();
}

void holdOn(const ScaleScript& script, std::stop_token stop)
{
    while (script.hold)
        pause(2, stop);
}

ScaleReport emptyReport(const ScaleRequest& request)
{
    ScaleReport report;
    report.request = request;
    report.device = {"cpu", "Test processor, 2 threads", 2};
    report.memoryFreeBytes = int64_t{6} << 30;
    std::vector<std::string> names{"softmax:form=explicit", "softmax"};
    for (const AttentionSpec& spec : request.attention)
        if (spec.canonical() != "softmax" && spec.canonical() != "softmax:form=explicit")
            names.push_back(spec.canonical());
    for (const std::string& name : names) {
        ScaleRow row;
        row.attention = name;
        row.backend = name.substr(0, name.find(':'));
        const BackendInfo* info = findBackend(row.backend);
        row.claimedTime = info->tokenComplexity.time;
        row.claimedMemory = name == names.front() ? 2 : 1;
        row.published = info->published;
        report.rows.push_back(row);
    }
    return report;
}

ScalePoint pointOf(const ScaleRow& row, int64_t tokens)
{
    ScalePoint point;
    point.tokens = tokens;
    const double n = double(tokens), fraction = n / 1024;
    if (row.attention == "softmax:form=explicit" && tokens > 8192) {
        point.stopped = "needs 9.1 GiB, 6.0 GiB free";
        return point;
    }
    const double attention = row.attention == "softmax:form=explicit" ? 24 * fraction * fraction
                             : row.backend == "softmax"               ? 11 * fraction * fraction
                             : row.backend == "ra"                    ? 60 * fraction * fraction
                                                                      : 9 * fraction + 1;
    const double whole = attention + 22 * fraction;
    point.latency = attnscope::testing::inRounds(
        {whole, whole * 0.96, whole * 1.1, attention, attention * 0.95, attention * 1.12, 20});
    point.attentionPeakBytes = int64_t(row.claimedMemory == 2 ? 24e6 * fraction * fraction : 3e6 * fraction);
    point.peakBytes = point.attentionPeakBytes + int64_t(8e6 * fraction);
    return point;
}

void summarise(ScaleReport& report)
{
    const ScaleRow softmax = report.rows.front();
    for (ScaleRow& row : report.rows) {
        for (size_t i = 0; i < std::min(row.points.size(), softmax.points.size()); ++i) {
            ScalePoint& point = row.points[i];
            const ScalePoint& base = softmax.points[i];
            if (!point.stopped.empty() || !base.stopped.empty())
                continue;
            point.timeRatio = point.latency.medianMs / base.latency.medianMs;
            point.attentionTimeRatio = point.latency.attentionMedianMs / base.latency.attentionMedianMs;
            point.memoryRatio = double(point.peakBytes) / double(base.peakBytes);
            point.attentionMemoryRatio = double(point.attentionPeakBytes) / double(base.attentionPeakBytes);
        }
        if (row.points.size() < 2)
            continue;
        row.exponents = {row.claimedTime == 2 ? 1.87 : 1.02, row.claimedTime == 2 ? 2.0 : 0.98, 1.1,
                         row.claimedMemory == 2 ? 2.0 : 1.0};
        if (row.backend == "lara" || row.backend == "performer")
            row.breakEvenExplicit = 640, row.breakEvenFused = row.backend == "lara" ? 1432 : 1170,
            row.breakEvenMemory = 256;
        if (row.attention == "softmax")
            row.breakEvenExplicit = 256, row.breakEvenMemory = 256;
    }
}

ApproximateReport errors(const ApproximateJob& job)
{
    ApproximateReport report;
    report.source = job.subject.isModel() ? "demo_deit" : job.subject.file;
    report.layers = 6, report.heads = 3, report.tokens = 197, report.width = 32;
    report.inputs = job.subject.isModel() ? std::ssize(job.subject.inputs) : 1;
    for (const AttentionSpec& spec : job.request.attention) {
        Curve curve{spec.canonical(), spec.backend(), spec.backend() == "local", {}, {}, {}};
        const double start = spec.backend() == "lara" ? 0.02 : 0.08;
        for (const int64_t samples : curve.flat ? std::vector<int64_t>{0} : job.request.samples) {
            CurvePoint point;
            point.samples = samples;
            point.attention = spec.canonical();
            point.seeds = job.request.seeds;
            const double mse = start / std::max<double>(1, double(samples));
            point.error = {mse + 1e-4, 0.2 * mse, std::sqrt(mse), 0.1 * std::sqrt(mse)};
            point.parts = {1e-4, mse};
            curve.points.push_back(point);
        }
        if (!curve.flat)
            curve.power = -0.93, curve.varianceTimesSamples = start;
        report.curves.push_back(curve);
    }
    report.meanSquare = 0.6;
    report.meanOfValues = {0.04, 0, 0.26, 0};
    return report;
}

DecodeReport emptyStreams(const DecodeRequest& request)
{
    DecodeReport report;
    report.request = request;
    if (report.request.positions.empty())
        report.request.positions = {16, 64, 256};
    report.heads = request.heads;
    report.widths = {request.width, request.width, 0};
    report.device = {"cpu", "Test processor, 2 threads", 2};
    std::vector<StreamSpec> specs{StreamSpec::parse("cache")};
    specs.insert(specs.end(), request.mechanisms.begin(), request.mechanisms.end());
    for (const StreamSpec& spec : specs) {
        DecodeRow row;
        row.mechanism = spec.canonical(), row.name = spec.info().name, row.title = spec.info().title;
        const bool gated = spec.kind() == StreamKind::Rfa && spec.real("gate") < 1;
        const double gate = gated ? spec.real("gate") : 1;
        if (gated)
            row.halfLife = std::log(0.5) / std::log(gate),
            row.notes = {"a constant gate; a trained one depends on the token"};
        if (spec.kind() == StreamKind::Compressive)
            row.losses = {0.2, 0.3};
        for (int64_t lag = 0; lag <= 1024; lag = lag == 0 ? 1 : 2 * lag)
            row.impulse.push_back({lag, std::pow(gate, double(lag)) / 256,
                                   gated ? std::optional(std::pow(gate, double(lag))) : std::nullopt});
        row.parallel = {512, 1e-6};
        report.rows.push_back(row);
    }
    return report;
}

void addPosition(DecodeReport& report, int64_t position)
{
    int place = 0;
    for (DecodeRow& row : report.rows) {
        const StreamSpec spec = StreamSpec::parse(row.mechanism);
        const StreamShape shape{report.widths.width, report.widths.width,
                                spec.info().random ? spec.integer("samples") : 0};
        const StreamCost cost = streamCost(spec, shape, position);
        DecodePoint point{.position = position};
        const double ms = 1e-9 * double(cost.multiplyAdds * report.heads) * (400 + 20 * place);
        point.latency = attnscope::testing::inRounds({ms, ms * 0.95, ms * 1.1, ms, ms * 0.95, ms * 1.1, 128});
        point.meanMs = ms * 1.02;
        point.stateBytes = 4 * cost.stateElements * report.heads;
        point.multiplyAdds = cost.multiplyAdds * report.heads;
        point.relative = place == 0 ? 1e-6 : 0.1 * place, point.mse = point.relative * point.relative / 100;
        row.points.push_back(point);
        if (place > 0 && spec.info().constantState)
            row.breakEvenTime = 1170, row.breakEvenState = 65, row.breakEvenWork = 193;
        row.timeExponent = spec.info().constantState ? -0.001 : 1.02,
        row.stateExponent = spec.info().constantState ? 0 : 1;
        ++place;
    }
}

KernelReport kernelOf(const KernelJob& job)
{
    KernelReport report;
    report.source = job.subject.file.empty() ? "random numbers" : job.subject.file;
    report.samples = job.request.samples, report.width = 32, report.seed = job.request.seed;
    const auto point = [&](double norm, double product) {
        KernelPoint made{
            .normX = norm, .normY = norm, .product = product, .exact = std::exp(product), .estimates = {}};
        double spread = 0.05;
        for (KernelEstimate& one : made.estimates) {
            one.relativeStddev = spread * norm * norm / std::sqrt(double(report.samples));
            one.estimate = made.exact * (1 + one.relativeStddev / 2);
            one.variance = std::pow(one.relativeStddev * made.exact, 2) * double(report.samples);
            spread *= 2;
        }
        return made;
    };
    for (const KernelAngle angle : kernelAngles) {
        KernelCurve curve{angle, {}};
        const double sign = angle == KernelAngle::Same ? 1 : angle == KernelAngle::Opposite ? -1 : 0;
        for (int i = 0; i <= 24; ++i)
            curve.points.push_back(point(i / 8.0, sign * i * i / 64.0));
        report.curves.push_back(curve);
    }
    for (int head = 0; head < 6; ++head) {
        KernelHead one{.layer = head / 3,
                       .head = head % 3,
                       .pairs = 196,
                       .normQuery = 1 + 0.2 * head,
                       .normKey = 1.1 + 0.2 * head};
        one.relativeStddev = {0.1 + 0.01 * head, 0.08, 0.4, 0.6};
        one.relativeError = one.relativeStddev;
        report.heads.push_back(one);
    }
    return report;
}

Latency latencyOf(double milliseconds)
{
    return {milliseconds,
            milliseconds * 0.95,
            milliseconds * 1.08,
            milliseconds / 3,
            milliseconds / 3,
            milliseconds / 3,
            20};
}

PlanReport plans(const PlanJob& job)
{
    PlanReport report;
    report.kind = job.request.kind, report.budget = job.request.budget;
    report.model.model.name = "demo_deit";
    report.model.device = {"cpu", "Test processor, 2 threads", 2};
    report.model.inputs.resize(job.subject.inputs.size());
    report.candidates = {"softmax", "softmax:form=explicit", "lara:samples=16", "local"};
    report.explicitMs = 52, report.outsideMs = 20;
    for (int layer = 0; layer < 4; ++layer)
        report.layers.push_back({{4, 0, 0}, {8, 0, 0}, {2.5, 0.1 + 0.05 * layer, 0.01}, {2, 0.3, 0.05}});
    const auto plan = [&](const std::string& attention, std::vector<size_t> choice, double ms, double error) {
        Plan made{attention,
                  std::move(choice),
                  attention.find(';') == std::string::npos,
                  ms,
                  error,
                  error / 10,
                  latencyOf(ms),
                  error,
                  error / 10,
                  1,
                  {}};
        return made;
    };
    report.uniform = {plan("local", {3, 3, 3, 3}, 28, 0.3), plan("lara:samples=16", {2, 2, 2, 2}, 30, 0.18),
                      plan("softmax", {0, 0, 0, 0}, 36, 0), plan("softmax:form=explicit", {1, 1, 1, 1}, 52, 0)};
    report.front = {plan("0-1=lara:samples=16;2-3=local", {2, 2, 3, 3}, 29, 0.21),
                    plan("0-1=lara:samples=16;2-3=softmax", {2, 2, 0, 0}, 33, 0.06)};
    if (needsLabels(report.kind)) {
        report.labelled = job.subject.samples;
        double fraction = 0.5;
        for (auto* list : {&report.uniform, &report.front})
            for (Plan& each : *list)
                each.accuracy = fraction = std::min(0.9, fraction + 0.1);
    }
    report.chosen = report.front.back();
    report.advice = "a mix of attentions is best here";
    return report;
}

/// One call of the laboratory.
struct Laboratory {
    ScaleScript& script;
    TaskTurn& turn;
    const ScaleTask::Grew& grew;

    ScaleResult measured(const ScaleRequest& request)
    {
        begin(script.scale, request, "scale");
        ScaleReport report = emptyReport(request);
        const auto addLength = [&](int64_t tokens) {
            for (ScaleRow& row : report.rows) {
                pause(script.stepMs, turn.stop());
                turn.report({row.attention + " · " + std::to_string(tokens) + " tokens", 3, 20});
                row.points.push_back(pointOf(row, tokens));
                summarise(report);
                grew(report);
            }
        };
        return grown(report, request.lengths, addLength);
    }

    ScaleResult measured(const DecodeRequest& request)
    {
        begin(script.decode, request, "decode");
        DecodeReport report = emptyStreams(request);
        const std::vector<int64_t> positions = report.request.positions;
        return grown(report, positions, [&](int64_t position) {
            pause(script.stepMs, turn.stop());
            turn.report({"timing at " + std::to_string(position), position, positions.back()});
            addPosition(report, position);
            grew(report);
        });
    }

    ScaleResult measured(const ApproximateJob& job)
    {
        begin(script.approximate, job, "approximate");
        return held({"lara:samples=4", 1, 8}, errors(job));
    }

    ScaleResult measured(const KernelJob& job)
    {
        begin(script.kernel, job, "approximate");
        return held({}, kernelOf(job));
    }

    ScaleResult measured(const PlanJob& job)
    {
        begin(script.plan, job, "plan");
        return held({"cost of every layer", 2, 15}, plans(job));
    }

    template <typename Request>
    void begin(Request& seen, const Request& request, const char* what)
    {
        ++script.runs;
        seen = request;
        if (!script.failure.empty())
            throw UsageError(what, script.failure, "choose another");
    }

    template <typename Report>
    ScaleResult held(const Progress& step, Report report)
    {
        turn.report(step);
        holdOn(script, turn.stop());
        return report;
    }

    /// A stop passes on where it has left nothing.
    template <typename Report, typename Add>
    ScaleResult grown(Report& report, const std::vector<int64_t>& sizes, Add add)
    {
        report.environment.loadAverage = script.load;
        report.complete = false;
        try {
            for (const int64_t size : sizes) {
                add(size);
                holdOn(script, turn.stop());
            }
            report.complete = true;
        } catch (const Cancelled&) {
            if (report.rows.front().points.empty())
                throw;
        }
        return report;
    }
};

}

ScaleReport scriptedReport(const ScaleRequest& request)
{
    ScaleReport report = emptyReport(request);
    for (const int64_t tokens : request.lengths)
        for (ScaleRow& row : report.rows)
            row.points.push_back(pointOf(row, tokens));
    summarise(report);
    return report;
}

ScaleTask::Measure scriptedScale(std::shared_ptr<ScaleScript> script)
{
    return [script](const ScaleQuestion& question, TaskTurn& turn, const ScaleTask::Grew& grew) {
        return std::visit(
            [&](const auto& request) {
                return Laboratory{*script, turn, grew}.measured(request);
            },
            question);
    };
}

}

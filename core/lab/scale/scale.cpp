#include "core/lab/scale/scale.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/device/torch_problem.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/power_law.h"
#include "core/lab/scale/scale_encoder.h"
#include "core/nn/layers.h"
#include "core/run/measures.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <random>
#include <tuple>

namespace attnscope {

namespace {

constexpr int64_t minRepetitions = 3;

void checkScaleRequest(const ScaleRequest& r)
{
    if (r.lengths.empty())
        throw UsageError("--lengths", "no length was given", "give at least one, such as 1024,2048");
    for (size_t i = 0; i < r.lengths.size(); ++i)
        if (r.lengths[i] < 1 || r.lengths[i] > 1 << 20 || (i > 0 && r.lengths[i] <= r.lengths[i - 1]))
            throw UsageError("--lengths", "the lengths are not ascending numbers from 1 to 1048576",
                             "give them in ascending order without repeats");
    if (r.width % r.heads != 0)
        throw UsageError("--dim",
                         counted(r.heads, "head") + nounFor(r.heads, " does", " do")
                             + " not divide an embedding dimension of " + std::to_string(r.width),
                         "choose a multiple of the number of heads");
    for (const AttentionSpec& spec : r.attention) {
        if (spec.isNative())
            throw UsageError("native", "an encoder with random weights has no attention of its own",
                             "specify the attention by name");
        const BackendInfo* info = findBackend(spec.backend());
        if (info != nullptr && info->needsReduction)
            throw UsageError(spec.canonical(), "this encoder has no spatial reduction",
                             "pooled-sra reduces keys without weights");
    }
}

int64_t freeBytes(const std::string& device)
{
    if (device == "cpu")
        return cpuDevice().freeBytes;
    for (const DeviceInfo& info : devices())
        if (info.name == device)
            return info.freeBytes;
    return 0;
}

double asDouble(int64_t value)
{
    return double(value);
}

/// A row being measured.
struct Runner {
    AttentionSpec spec = AttentionSpec::native();
    ScaleEncoder::Layers layers;  // for the current length
    TimingSamples timings;
    bool over = false;  // a budget was reached: longer lengths are not tried
};

class ScaleRun {
public:
    ScaleRun(const ScaleRequest& request, const ScaleObserver& observer, const ProgressCallback& progress,
             std::stop_token stop)
        : m_request(request)
        , m_observer(observer)
        , m_progress(progress)
        , m_stop(std::move(stop))
        , m_device(request.device)
        , m_encoder(request, m_device, scalarType(request.dtype).value())
    {
        m_report.request = request;
        m_report.device = attnscope::summarise(request.device);
        m_report.environment = environment();
        m_report.memoryFreeBytes = request.memoryBudgetBytes > 0 ? request.memoryBudgetBytes
                                                                 : freeBytes(request.device);
        m_encoder.requireGradients(request.backward);
        for (const AttentionSpec& spec : scaleRows(request))
            addRow(spec);
    }

    ScaleReport run()
    {
        m_report.complete = false;
        try {
            for (const int64_t tokens : m_request.lengths)
                measureLength(tokens);
            m_report.complete = true;
        } catch (const Cancelled&) {
            if (std::ranges::all_of(known().rows, [](const ScaleRow& row) { return row.points.empty(); }))
                throw;
        }
        return known();
    }

private:
    using Clock = std::chrono::steady_clock;

    void addRow(const AttentionSpec& spec)
    {
        m_runners.emplace_back().spec = spec;
        ScaleRow& row = m_report.rows.emplace_back();
        row.attention = spec.canonical();
        row.backend = spec.backend();
        if (const BackendInfo* info = findBackend(row.backend)) {
            row.claimedTime = info->tokenComplexity.time;
            row.published = info->published;
            row.claimedMemory = spec == AttentionSpec::explicitReference() ? 2 : info->tokenComplexity.memory;
        }
        if (const std::string slowness = slownessOf(m_device, scalarType(m_request.dtype).value());
            !slowness.empty())
            row.notes.push_back(slowness);
    }

    ScalePoint& pointOf(size_t row) { return m_report.rows[row].points.back(); }

    /// A row that can't continue states the reason at this length and all longer ones.
    void stopRow(size_t row, const std::string& sentence)
    {
        pointOf(row).stopped = sentence;
        m_runners[row].over = true;
        m_lastReason[row] = sentence;
    }

    template <typename Work>
    void guarded(size_t row, const Work& work)
    {
        try {
            work();
        } catch (const UsageError& error) {
            pointOf(row).stopped = error.what();  // options that do not fit this length may fit the next
        } catch (const Error& error) {
            stopRow(row, error.what());
        } catch (const c10::Error& error) {
            throwIfGpuIsLost(error.what_without_backtrace());
            stopRow(row, torchProblem(error));
        } catch (const std::bad_alloc&) {
            stopRow(row, "there is not enough memory for this attention at this size");
        }
    }

    struct Past {
        double tokens = 0, bytes = 0, seconds = 0;
    };

    /// Estimates what a row will need, from its last two lengths.
    std::optional<double> estimate(size_t row, int64_t tokens, double Past::*what) const
    {
        const auto& past = m_past[row];
        if (past.empty())
            return std::nullopt;
        const Past& last = past.back();
        double power = what == &Past::bytes ? m_report.rows[row].claimedMemory : m_report.rows[row].claimedTime;
        if (past.size() > 1) {
            const Past& before = past[past.size() - 2];
            power = std::log(last.*what / std::max(before.*what, 1e-9)) / std::log(last.tokens / before.tokens);
        }
        return last.*what * std::pow(asDouble(tokens) / last.tokens, std::clamp(power, 0.5, 2.1));
    }

    /// Lower bound on what explicit softmax needs at once: logits and weights of all heads.
    double minBytes(size_t row, int64_t tokens) const
    {
        if (!(m_runners[row].spec == AttentionSpec::explicitReference()))
            return 0;
        const double map = asDouble(m_request.heads) * asDouble(tokens) * asDouble(tokens) * 4;
        return m_request.backward ? map * (1 + asDouble(m_request.layers)) : 2 * map;
    }

    double secondsLeft() const
    {
        return m_request.totalBudgetSeconds - std::chrono::duration<double>(Clock::now() - m_begin).count();
    }

    /// Deadline for repetitions at this length: longer lengths need more of the remaining time.
    Clock::time_point endOf(int64_t tokens) const
    {
        const auto weight = [](int64_t length) { return std::pow(asDouble(length), 1.5); };
        double all = 0;
        for (const int64_t length : m_request.lengths)
            all += length >= tokens ? weight(length) : 0;
        return Clock::now()
               + std::chrono::duration_cast<Clock::duration>(
                   std::chrono::duration<double>(secondsLeft() * weight(tokens) / all));
    }

    bool withinBudgets(size_t row, int64_t tokens)
    {
        const auto bytes = int64_t(
            std::max(minBytes(row, tokens), estimate(row, tokens, &Past::bytes).value_or(0)));
        if (m_report.memoryFreeBytes > 0 && bytes > m_report.memoryFreeBytes) {
            stopRow(row, "needs " + formatBytes(bytes).text() + ", " + formatBytes(m_report.memoryFreeBytes).text()
                             + " free");
            return false;
        }
        const double seconds = estimate(row, tokens, &Past::seconds).value_or(0);
        constexpr double fewest = 2 + minRepetitions;  // passes: two for warm-up
        if (m_request.totalBudgetSeconds > 0 && fewest * seconds > secondsLeft()) {
            const std::string budget = formatMilliseconds(1000 * m_request.totalBudgetSeconds).text()
                                       + " in total";
            if (secondsLeft() <= 0)
                stopRow(row, "no time is left of the budget of " + budget);
            else
                stopRow(row, "would take about " + formatMilliseconds(1000 * fewest * seconds).text() + ", and "
                                 + formatMilliseconds(1000 * secondsLeft()).text() + " are left of the budget of "
                                 + budget);
            return false;
        }
        if (seconds > m_request.passBudgetSeconds) {
            stopRow(row, "a pass would take about " + formatMilliseconds(1000 * seconds).text()
                             + ", and the budget is "
                             + formatMilliseconds(1000 * m_request.passBudgetSeconds).text());
            return false;
        }
        return true;
    }

    void measureLength(int64_t tokens)
    {
        m_past.resize(m_runners.size());
        m_lastReason.resize(m_runners.size());
        m_input = m_encoder.tokens(tokens);
        m_end = endOf(tokens);
        std::vector<size_t> turn;
        for (size_t row = 0; row < m_runners.size(); ++row) {
            m_report.rows[row].points.push_back({.tokens = tokens});
            Runner& runner = m_runners[row];
            runner.timings = {};
            // What a stopped row would need grows with the length: if it can be estimated, it is stated for this length.
            if (!withinBudgets(row, tokens))
                continue;
            if (runner.over) {
                pointOf(row).stopped = m_lastReason[row];
                continue;
            }
            m_progress({m_report.rows[row].attention + " · " + counted(tokens, "token"), 0, 0});
            guarded(row, [&] { warmUp(row, tokens); });
            if (pointOf(row).stopped.empty())
                turn.push_back(row);
        }
        takeTurns(turn, tokens);
    }

    /// Memory first: that pass is the warm-up, and its time shows whether more passes are feasible.
    void warmUp(size_t row, int64_t tokens)
    {
        checkStop(m_stop);
        Runner& runner = m_runners[row];
        runner.layers = m_encoder.prepare(runner.spec, tokens);
        for (const std::string& note : runner.layers.attention.front()->notes())
            if (std::find(m_report.rows[row].notes.begin(), m_report.rows[row].notes.end(), note)
                == m_report.rows[row].notes.end())
                m_report.rows[row].notes.push_back(note);
        ScalePoint& point = pointOf(row);
        SectionTimer timer(m_device);
        {
            AllocationMeter meter(m_device);
            ScaleEncoder::Meters meters{.memory = &meter};
            timer.begin();
            pass(runner, meters);
            timer.end();
            point.peakBytes = meter.peak();
            point.attentionPeakBytes = meters.attentionPeak;
        }
        m_past[row].push_back({asDouble(tokens), asDouble(point.peakBytes), timer.take() / 1000});
        timePass(row);
        runner.timings = {};
    }

    void pass(const Runner& runner, ScaleEncoder::Meters& meters)
    {
        if (!m_request.backward) {
            const c10::InferenceMode guard;
            std::ignore = m_encoder.forward(m_input, runner.layers, meters);
            return;
        }
        m_encoder.forward(m_input, runner.layers, meters).square().mean().backward();
        m_encoder.clearGradients();
    }

    void timePass(size_t row)
    {
        checkStop(m_stop);
        SectionTimer whole(m_device), attention(m_device);
        ScaleEncoder::Meters meters{.attention = &attention};
        whole.begin();
        pass(m_runners[row], meters);
        whole.end();
        m_runners[row].timings.totalMs.push_back(whole.take());
        m_runners[row].timings.attentionMs.push_back(attention.take());
    }

    bool enough(size_t row) const
    {
        const TimingSamples& timings = m_runners[row].timings;
        const bool timeIsUp = timings.seconds() >= m_request.pointBudgetSeconds
                              || (m_request.totalBudgetSeconds > 0 && Clock::now() >= m_end);
        const bool spent = timeIsUp && int64_t(timings.totalMs.size()) >= minRepetitions;
        return spent || timings.enough(m_request.minimumRepetitions, m_request.minimumSeconds);
    }

    void takeTurns(std::vector<size_t> turn, int64_t tokens)
    {
        announce();  // what was stopped, before the others take their turns
        const int64_t throttled = timesThrottled();
        const auto takeTurn = [&](size_t row) {
            m_progress({m_report.rows[row].attention + " · " + counted(tokens, "token"),
                        int64_t(m_runners[row].timings.totalMs.size()), m_request.minimumRepetitions});
            guarded(row, [&] { timePass(row); });
            m_runners[row].timings.endRound();
        };
        const auto isDone = [&](size_t row) {
            const bool done = !pointOf(row).stopped.empty() || enough(row);
            if (done) {
                finish(row);
                noteThrottling(throttled, m_report.rows[row].notes);
            }
            return done;
        };
        attnscope::takeTurns(std::move(turn), m_order, takeTurn, isDone, [this](size_t left) {
            if (left > 0)
                announce();
        });
    }

    void finish(size_t row)
    {
        if (!pointOf(row).stopped.empty())
            return;
        pointOf(row).latency = m_runners[row].timings.summary();
        m_past[row].back().seconds = modelTime(pointOf(row).latency).mid / 1000;
    }

    void announce() const
    {
        if (m_observer)
            m_observer(known());
    }

    /// The results so far, without unfinished points.
    ScaleReport known() const
    {
        ScaleReport known = m_report;
        for (ScaleRow& row : known.rows)
            if (!row.points.empty() && row.points.back().stopped.empty()
                && row.points.back().latency.repetitions == 0)
                row.points.pop_back();
        summarise(known);
        return known;
    }

    static void summarise(ScaleReport& report);

    const ScaleRequest& m_request;
    const ScaleObserver& m_observer;
    const ProgressCallback m_progress;
    std::stop_token m_stop;
    at::Device m_device;
    ScaleEncoder m_encoder;
    at::Tensor m_input;
    Clock::time_point m_begin = Clock::now(),
                      m_end = m_begin;  // of everything, of the repetitions at the current length
    std::vector<Runner> m_runners;
    std::vector<std::vector<Past>> m_past;
    std::vector<std::string> m_lastReason;
    std::minstd_rand m_order{1};
    ScaleReport m_report;
};

using Value = std::function<double(const ScalePoint&)>;

/// Over the longest lengths: the last three, or all from a quarter of the longest on. Short ones are dominated by constant costs.
std::optional<double> exponentOf(const std::vector<ScalePoint>& points, const Value& value)
{
    std::vector<PowerPoint> measured;
    for (const ScalePoint& point : points)
        if (point.stopped.empty() && value(point) > 0)
            measured.push_back({asDouble(point.tokens), value(point)});
    while (measured.size() > 3
           && std::log(measured.front().x) < std::log(measured.back().x) - std::log(4.0) - 1e-9)
        measured.erase(measured.begin());
    return fitPower(measured);
}

/// The length from which `row` is below `other`.
std::optional<double> breakEvenOf(const ScaleRow& row, const ScaleRow& other, const Value& value)
{
    std::vector<CostPair> costs;
    for (size_t i = 0; i < row.points.size() && i < other.points.size(); ++i) {
        const ScalePoint &a = row.points[i], &b = other.points[i];
        if (a.stopped.empty() && b.stopped.empty() && value(a) > 0 && value(b) > 0)
            costs.push_back({asDouble(a.tokens), value(a), value(b)});
    }
    return breakEven(costs);
}

void ScaleRun::summarise(ScaleReport& report)
{
    const Value time = [](const ScalePoint& p) { return modelTime(p.latency).mid; };
    const Value attention = [](const ScalePoint& p) { return attentionTime(p.latency).mid; };
    const Value memory = [](const ScalePoint& p) { return asDouble(p.peakBytes); };
    const Value attentionMemory = [](const ScalePoint& p) { return asDouble(p.attentionPeakBytes); };
    const ScaleRow &explicitRow = report.rows[0], &fused = report.rows[1];
    for (ScaleRow& row : report.rows) {
        row.exponents = {exponentOf(row.points, time), exponentOf(row.points, attention),
                         exponentOf(row.points, memory), exponentOf(row.points, attentionMemory)};
        if (&row != &explicitRow) {
            row.breakEvenExplicit = breakEvenOf(row, explicitRow, time);
            row.breakEvenMemory = breakEvenOf(row, explicitRow, memory);
        }
        if (&row != &fused)
            row.breakEvenFused = breakEvenOf(row, fused, time);
        for (size_t i = 0; i < std::min(row.points.size(), explicitRow.points.size()); ++i) {
            ScalePoint& point = row.points[i];
            const ScalePoint& softmax = explicitRow.points[i];
            if (!point.stopped.empty() || !softmax.stopped.empty())
                continue;
            point.timeRatio = time(point) / time(softmax);
            point.attentionTimeRatio = attention(point) / attention(softmax);
            point.memoryRatio = memory(point) / memory(softmax);
            point.attentionMemoryRatio = attentionMemory(point) / attentionMemory(softmax);
        }
    }
}

}

std::vector<AttentionSpec> scaleRows(const ScaleRequest& request)
{
    std::vector<AttentionSpec> rows{AttentionSpec::explicitReference(), AttentionSpec::reference()};
    for (const AttentionSpec& spec : request.attention)
        if (std::ranges::find(rows, spec) == rows.end())
            rows.push_back(spec);
    return rows;
}

ScaleReport scale(const ScaleRequest& request, const ScaleObserver& observer, const ProgressCallback& progress,
                  std::stop_token stop)
{
    checkScaleRequest(request);
    return ScaleRun(request, observer, orSilent(progress), std::move(stop)).run();
}

}

#include "core/lab/decode/decode.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/torch_problem.h"
#include "core/lab/decode/stream_tensors.h"
#include "core/lab/decode/token_source.h"
#include "core/lab/layers/opened_input.h"
#include "core/lab/power_law.h"
#include "core/measure/latency.h"
#include "core/run/measures.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

namespace attnscope {

namespace {

constexpr int64_t maxPosition = 1 << 20;
constexpr int64_t checkedTokens = 512;  // of the recurrent against the parallel form
constexpr int64_t turnTokens = 16;      // of one stream before the next one's turn
constexpr int64_t impulses = 8;

double ratioOf(int64_t a, int64_t b)
{
    return double(a) / double(b);
}

/// One mechanism, all heads.
template <typename Real>
struct StreamHeads {
    std::vector<std::unique_ptr<Stream<Real>>> heads;
    StreamShape shape;
    Real gate = 1;

    StreamHeads(const StreamSpec& spec, int64_t count, const StreamShape& widths,
                const StreamParameters& parameters)
        : shape(widths)
    {
        if (spec.kind() == StreamKind::Rfa)
            gate = static_cast<Real>(spec.real("gate"));
        for (StreamHead<Real>& head : streamHeads<Real>(spec, count, widths, parameters)) {
            shape.samples = head.shape.samples;
            head.gated = gate < 1;
            heads.push_back(makeStream<Real>(spec, std::move(head)));
        }
    }

    /// Token i of (H,n,·) tensors of this type.
    StreamToken<Real> token(const TokenBlock& block, int64_t head, int64_t i) const
    {
        const int64_t row = head * block.q.size(1) + i;
        return {block.q.data_ptr<Real>() + row * shape.width, block.k.data_ptr<Real>() + row * shape.width,
                block.v.data_ptr<Real>() + row * shape.valueWidth, gate};
    }

    void skip(const TokenBlock& block, int64_t i)
    {
        for (size_t h = 0; h < heads.size(); ++h)
            heads[h]->skip(token(block, int64_t(h), i));
    }

    /// `out`: (H,n,Dv).
    void step(const TokenBlock& block, int64_t i, at::Tensor& out)
    {
        for (size_t h = 0; h < heads.size(); ++h) {
            const auto head = int64_t(h);
            heads[h]->step(token(block, head, i),
                           out.data_ptr<Real>() + (head * out.size(1) + i) * shape.valueWidth);
        }
    }
};

TokenBlock converted(const TokenBlock& block, at::ScalarType type)
{
    return {block.q.to(type), block.k.to(type), block.v.to(type)};
}

/// Parameters that do not depend on the tokens: ω from the seed.
StreamParameters parametersOf(const StreamSpec& spec, int64_t heads, const StreamShape& widths, uint64_t seed)
{
    StreamInput input{at::empty({1, heads, 1, widths.width}), {}, {}, {}};
    completeParameters(spec, input, spec.seedOr(seed));
    return {input.parameters.omega, {}, {}};
}

double timeOf(const DecodePoint& point)
{
    return modelTime(point.latency).mid;
}

double stateOf(const DecodePoint& point)
{
    return double(point.stateBytes);
}

std::optional<double> fittedExponent(const std::vector<DecodePoint>& points, double (*value)(const DecodePoint&))
{
    std::vector<PowerPoint> known;
    for (const DecodePoint& point : points)
        if (value(point) > 0)
            known.push_back({double(point.position), value(point)});
    return fitPower(known);
}

/// From where on the row is faster than the cache.
std::optional<double> crossing(const std::vector<DecodePoint>& row, const std::vector<DecodePoint>& cache)
{
    std::vector<CostPair> costs;
    for (size_t i = 0; i < row.size(); ++i)
        costs.push_back({double(row[i].position), timeOf(row[i]), timeOf(cache[i])});
    return breakEven(costs);
}

class DecodeRun {
public:
    DecodeRun(const DecodeRequest& request, const ProgressCallback& progress, std::stop_token stop,
              const DecodeObserver& observer)
        : m_progress(progress)
        , m_observer(observer)
        , m_stop(std::move(stop))
    {
        m_report.request = request;
        checkRequest();
        m_source = makeTokenSource(request);
        m_report.heads = m_source->heads();
        m_report.widths = m_source->widths();
        choosePositions();
        addRow(StreamSpec::parse("cache"));
        for (const StreamSpec& spec : request.mechanisms)
            if (std::ranges::find(m_specs, spec) == m_specs.end())
                addRow(spec);
        checkMemory();
        m_report.device = attnscope::summarise("cpu");
        m_report.environment = environment();
    }

    DecodeReport run()
    {
        checkForms();
        measureImpulses();
        m_report.complete = false;
        try {
            if (request().dtype == "float64")
                measure<double>();
            else
                measure<float>();
            m_report.complete = true;
        } catch (const Cancelled&) {
            if (m_report.rows.front().points.empty())
                throw;
            m_report.request.positions.resize(m_report.rows.front().points.size());
        }
        return std::move(m_report);
    }

private:
    using Clock = std::chrono::steady_clock;

    const DecodeRequest& request() const { return m_report.request; }
    at::ScalarType type() const { return request().dtype == "float64" ? at::kDouble : at::kFloat; }
    int64_t last() const { return request().positions.back(); }

    void checkRequest() const
    {
        const DecodeRequest& r = request();
        if (r.dtype != "float32" && r.dtype != "float64")
            throw UsageError("--dtype", "streams are not computed in " + r.dtype, "choose float32 or float64");
        for (size_t i = 0; i < r.positions.size(); ++i)
            if (r.positions[i] < 1 || r.positions[i] > maxPosition
                || (i > 0 && r.positions[i] <= r.positions[i - 1]))
                throw UsageError("--positions",
                                 "the positions are not ascending numbers from 1 to "
                                     + std::to_string(maxPosition),
                                 "give them in ascending order without repeats");
    }

    void choosePositions()
    {
        std::vector<int64_t>& positions = m_report.request.positions;
        const int64_t length = m_source->length();
        if (!positions.empty() && positions.back() > length)
            throw UsageError("--positions",
                             std::to_string(positions.back()) + " is beyond the " + std::to_string(length)
                                 + " tokens of the file",
                             "choose positions from 1 to " + std::to_string(length));
        if (!positions.empty())
            return;
        for (int64_t position = request().file.empty() ? 1024 : 16; position <= 65536 && position < length;
             position *= 4)
            positions.push_back(position);
        if (!request().file.empty())
            positions.push_back(std::min<int64_t>(length, maxPosition));
    }

    void addRow(const StreamSpec& spec)
    {
        m_specs.push_back(spec);
        DecodeRow& row = m_report.rows.emplace_back();
        row.mechanism = spec.canonical();
        row.name = spec.info().name;
        row.title = spec.info().title;
        if (spec.kind() == StreamKind::Rfa && spec.real("gate") > 0 && spec.real("gate") < 1)
            row.halfLife = std::log(0.5) / std::log(spec.real("gate"));
        if (spec.kind() == StreamKind::Rfa && spec.real("gate") < 1)
            row.notes.emplace_back("a constant gate; a trained one depends on the token");
        if (spec.kind() == StreamKind::Rfa && spec.choice("norm") == "unit")
            row.notes.emplace_back("norm=unit is a different function than softmax on the given tokens");
        if (spec.kind() == StreamKind::Elu || spec.kind() == StreamKind::Alibi)
            row.notes.emplace_back("a different function than softmax on the given tokens");
        if (spec.kind() == StreamKind::Compressive && spec.choice("function") == "max")
            row.notes.emplace_back(
                "the maximum of projected keys is not the projection of a maximum, which the paper takes");
    }

    void checkMemory() const
    {
        double bytes = double(streamCost(m_specs.front(), m_report.widths, last()).stateElements * m_report.heads)
                       * 8;
        for (const StreamSpec& spec : m_specs) {
            StreamShape shape = m_report.widths;
            shape.samples = spec.info().random ? spec.integer("samples") : 0;
            // Vectors that grow hold up to twice what is in them.
            bytes += double(streamCost(spec, shape, last()).stateElements * m_report.heads)
                     * (type() == at::kDouble ? 16 : 8);
        }
        const int64_t budget = request().memoryBudgetBytes > 0 ? request().memoryBudgetBytes
                                                               : cpuDevice().freeBytes;
        if (budget > 0 && bytes > double(budget))
            throw Unsupported("--positions",
                              "the states at " + counted(last(), "token") + " need about "
                                  + formatBytes(int64_t(bytes)).text() + ", and " + formatBytes(budget).text()
                                  + " may be used",
                              "choose earlier positions, fewer heads or fewer mechanisms");
    }

    /// Both forms over the first tokens, and what compressions lose.
    void checkForms()
    {
        const int64_t tokens = std::min(last(), checkedTokens);
        const TokenBlock block = converted(m_source->tokens(0, tokens), type());
        for (size_t i = 0; i < m_specs.size(); ++i) {
            checkStop(m_stop);
            m_progress({m_report.rows[i].mechanism + " · parallel form", 0, 0});
            StreamInput input{block.q.unsqueeze(0), block.k.unsqueeze(0), block.v.unsqueeze(0), {}};
            completeParameters(m_specs[i], input, m_specs[i].seedOr(request().seed));
            const StreamRun run = runRecurrent(m_specs[i], input, StreamLosses::Collected, m_stop);
            const auto difference = (run.out - runParallel(m_specs[i], input)).abs().max().item<double>();
            m_report.rows[i].parallel = {tokens, difference};
            if (run.losses.defined())
                for (int64_t c = 0; c < run.losses.size(0); ++c)
                    m_report.rows[i].losses.push_back(run.losses[c].mean().item<double>());
        }
    }

    void measureImpulses()
    {
        const int64_t start = std::min<int64_t>(256, last() / 4);
        const int64_t end = std::min<int64_t>(last(), start + impulses + 1024);
        if (end < start + impulses)
            return;
        const TokenBlock given = converted(m_source->tokens(0, end), at::kDouble);
        TokenBlock block{given.q, given.k, at::zeros({m_report.heads, end, impulses}, at::kDouble)};
        for (int64_t c = 0; c < impulses; ++c)
            block.v.select(1, start + c).select(1, c).fill_(1);
        for (size_t i = 0; i < m_specs.size(); ++i)
            m_report.rows[i].impulse = impulseOf(m_specs[i], block, start);
    }

    /// Lags 0, 1, 2, 4, … of every impulse, at most to the end of the block.
    std::vector<ImpulsePoint> impulseOf(const StreamSpec& spec, const TokenBlock& block, int64_t start)
    {
        const StreamShape widths{m_report.widths.width, impulses, 0};
        StreamHeads<double> stream(spec, m_report.heads, widths,
                                   parametersOf(spec, m_report.heads, widths, request().seed));
        std::vector<ImpulsePoint> points;
        for (int64_t lag = 0; start + impulses - 1 + lag < block.q.size(1); lag = lag == 0 ? 1 : 2 * lag)
            points.push_back({.lag = lag});
        const bool ofState = spec.kind() == StreamKind::Rfa;
        at::Tensor out = at::zeros_like(block.v);
        std::vector<double> first(static_cast<size_t>(impulses));
        for (int64_t t = 0; t < block.q.size(1); ++t) {
            if (t % 256 == 0)
                checkStop(m_stop);
            stream.step(block, t, out);
            for (ImpulsePoint& point : points) {
                const int64_t c = t - start - point.lag;
                if (c < 0 || c >= impulses)
                    continue;
                point.weight += out.select(1, t).select(1, c).mean().item<double>() / impulses;
                if (!ofState)
                    continue;
                const double kept = impulseInState(stream, c);
                if (point.lag == 0)
                    first[size_t(c)] = kept;
                point.state = point.state.value_or(0) + kept / first[size_t(c)] / impulses;
            }
        }
        return points;
    }

    /// ‖S‖ of the column of one impulse in the first head, without the running maximum.
    static double impulseInState(const StreamHeads<double>& stream, int64_t column)
    {
        const auto state = stream.heads.front()->state();
        const StateTensor& S = state.at("S");
        double sum = 0;
        for (int64_t row = 0; row < S.shape[0]; ++row)
            sum += std::pow(S.values[size_t(row * S.shape[1] + column)], 2);
        const auto top = state.find("top");
        return std::sqrt(sum) * (top == state.end() ? 1 : std::exp(top->second.values.front()));
    }

    /// Timed tokens before position `index`: whole segments, none of them before the last position.
    int64_t timedTokens(size_t index) const
    {
        int64_t segment = 1;
        for (const StreamSpec& spec : m_specs)
            if (spec.kind() == StreamKind::TransformerXl || spec.kind() == StreamKind::Compressive)
                segment = std::max(segment, std::min<int64_t>(spec.integer("segment"), 4096));
        const int64_t wanted = (request().minimumRepetitions + segment - 1) / segment * segment;
        const std::vector<int64_t>& positions = request().positions;
        return std::min(wanted, positions[index] - (index > 0 ? positions[index - 1] : 0));
    }

    template <typename Real>
    void measure()
    {
        std::vector<StreamHeads<Real>> streams;
        for (const StreamSpec& spec : m_specs)
            streams.emplace_back(spec, m_report.heads, m_report.widths,
                                 parametersOf(spec, m_report.heads, m_report.widths, request().seed));
        StreamHeads<double> exact(m_specs.front(), m_report.heads, m_report.widths, {});
        int64_t t = 0;
        for (size_t i = 0; i < request().positions.size(); ++i) {
            const int64_t position = request().positions[i], timed = position - timedTokens(i);
            while (t < timed) {
                const int64_t count = std::min<int64_t>(1024, timed - t);
                skipTokens(streams, exact, t, count);
                t += count;
                m_progress({"tokens", t, last()});
            }
            timeTokens(streams, exact, t, position);
            t = position;
            summariseRows();
            if (m_observer)
                m_observer(m_report);
        }
    }

    template <typename Real>
    void skipTokens(std::vector<StreamHeads<Real>>& streams, StreamHeads<double>& exact, int64_t first,
                    int64_t count)
    {
        const TokenBlock block = m_source->tokens(first, count);
        const TokenBlock ours = converted(block, type()), wide = converted(block, at::kDouble);
        for (StreamHeads<Real>& stream : streams) {
            checkStop(m_stop);
            for (int64_t i = 0; i < count; ++i)
                stream.skip(ours, i);
        }
        for (int64_t i = 0; i < count; ++i)
            exact.skip(wide, i);
    }

    template <typename Real>
    void timeTokens(std::vector<StreamHeads<Real>>& streams, StreamHeads<double>& exact, int64_t first,
                    int64_t position)
    {
        std::vector<TimingSamples> timings(streams.size());
        const int64_t throttled = timesThrottled();
        std::vector<double> squared(streams.size());
        double norm = 0;
        std::vector<size_t> turn(streams.size());
        std::iota(turn.begin(), turn.end(), size_t{0});
        for (int64_t t = first; t < position; t += turnTokens) {
            const int64_t count = std::min(turnTokens, position - t);
            const TokenBlock block = m_source->tokens(t, count);
            const TokenBlock ours = converted(block, type()), wide = converted(block, at::kDouble);
            at::Tensor reference = at::empty_like(wide.v);
            for (int64_t i = 0; i < count; ++i)
                exact.step(wide, i, reference);
            norm += reference.square().sum().item<double>();
            std::shuffle(turn.begin(), turn.end(), m_order);
            for (const size_t row : turn) {
                checkStop(m_stop);
                at::Tensor out = at::empty_like(ours.v);
                for (int64_t i = 0; i < count; ++i) {
                    const Clock::time_point begin = Clock::now();
                    streams[row].step(ours, i, out);
                    timings[row].totalMs.push_back(
                        std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
                }
                timings[row].endRound();
                squared[row] += (out.to(at::kDouble) - reference).square().sum().item<double>();
            }
            m_progress({"timing at " + std::to_string(position), t + count, last()});
        }
        for (size_t row = 0; row < streams.size(); ++row) {
            DecodePoint& point = m_report.rows[row].points.emplace_back();
            point.position = position;
            timings[row].attentionMs = timings[row].totalMs;
            point.latency = timings[row].summary();
            noteThrottling(throttled, m_report.rows[row].notes);
            point.meanMs = std::accumulate(timings[row].totalMs.begin(), timings[row].totalMs.end(), 0.0)
                           / double(timings[row].totalMs.size());
            for (const auto& head : streams[row].heads)
                point.stateBytes += head->stateElements() * int64_t(sizeof(Real));
            point.multiplyAdds = m_report.heads
                                 * streamCost(m_specs[row], streams[row].shape, position).multiplyAdds;
            const auto values = double((position - first) * m_report.heads * m_report.widths.valueWidth);
            point.mse = squared[row] / values;
            point.relative = norm > 0 ? std::sqrt(squared[row] / norm) : squared[row] > 0 ? HUGE_VAL : 0;
        }
    }

    void summariseRows()
    {
        const DecodeRow& cache = m_report.rows.front();
        const int64_t token = m_report.widths.width + m_report.widths.valueWidth;
        for (size_t i = 0; i < m_report.rows.size(); ++i) {
            DecodeRow& row = m_report.rows[i];
            row.timeExponent = fittedExponent(row.points, timeOf);
            row.stateExponent = fittedExponent(row.points, stateOf);
            if (i == 0)
                continue;
            row.breakEvenTime = crossing(row.points, cache.points);
            // The cache needs t(D + Dv) of both after t tokens.
            StreamShape shape = m_report.widths;
            shape.samples = m_specs[i].info().random ? m_specs[i].integer("samples") : 0;
            const StreamCost cost = streamCost(m_specs[i], shape, last());
            if (cost.stateElements < last() * token)
                row.breakEvenState = ratioOf(cost.stateElements, token);
            if (cost.multiplyAdds < last() * token)
                row.breakEvenWork = ratioOf(cost.multiplyAdds, token);
        }
    }

    const ProgressCallback& m_progress;
    const DecodeObserver& m_observer;
    std::stop_token m_stop;
    std::unique_ptr<TokenSource> m_source;
    std::vector<StreamSpec> m_specs;
    std::minstd_rand m_order{1};
    DecodeReport m_report;
};

}

const char* toText(TokenKind kind)
{
    constexpr const char* names[] = {"normal", "smooth", "recall"};
    return names[size_t(kind)];
}

std::vector<StreamSpec> defaultMechanisms()
{
    std::vector<StreamSpec> specs;
    for (const StreamInfo& info : streamInfos()) {
        specs.push_back(StreamSpec::parse(info.name));
        if (info.kind != StreamKind::Rfa)
            continue;
        specs.push_back(StreamSpec::parse("rfa:gate=0.99"));
        specs.push_back(StreamSpec::parse("rfa:gate=0.99,gate_form=sum"));
    }
    return specs;
}

DecodeReport decode(const DecodeRequest& request, const ProgressCallback& progress, std::stop_token stop,
                    const DecodeObserver& observer)
{
    const c10::InferenceMode guard;
    const ProgressCallback shown = orSilent(progress);
    return guardTorch(request.file.string(),
                      [&] { return DecodeRun(request, shown, std::move(stop), observer).run(); });
}

}

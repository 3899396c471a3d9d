#include "core/lab/leaderboard/leaderboard_measurement.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/lab/seed_statistics.h"
#include "core/measure/approximation_error.h"
#include "core/measure/feature_similarity.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/measure/statistics.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iterator>
#include <random>
#include <tuple>

namespace attnscope {

namespace {

constexpr int64_t defaultRounds = 20;
constexpr double maxSecondsOfTimings = 0.5;  // of each alternative: more does not make a median steadier

/// Differences of one attention from the exact one, over inputs, layers, heads and seeds.
class ErrorSums {
public:
    ErrorSums(size_t seeds, int64_t layers)
        : m_seeds(seeds)
        , m_layers(size_t(layers))
    {}

    /// out and exact (B,H,N,Dv) or (B,H,N,G,Dv); the elements of the batch are layers from `layer` on.
    void add(size_t seed, int64_t layer, const at::Tensor& out, const at::Tensor& exact)
    {
        const auto perLayer = size_t(exact.size(1));
        const auto heads = headDifferences(layersAsHeads(out), layersAsHeads(exact));
        for (size_t head = 0; head < heads.size(); ++head) {
            m_seeds[seed].push_back(heads[head]);
            if (heads[head].finite)
                m_layers[size_t(layer) + head / perLayer].push_back(heads[head].relative);
            else
                ++m_notFinite;
        }
    }

    void finish(LeaderboardRow& row) const
    {
        const ErrorValue error = errorOverSeeds(m_seeds);
        row.relative = error.relative;
        row.relativeStddev = error.relativeStddev;
        row.notFinite = m_notFinite;
        std::vector<double> all;
        for (const auto& heads : m_seeds)
            for (const HeadDifference& head : heads)
                if (head.finite)
                    all.push_back(head.relative);
        row.medianRelative = quantile(all, 0.5);
        for (const auto& layer : m_layers)
            row.layers.push_back(layer.empty() ? std::nan("") : meanAndStddev(layer).mean);
    }

private:
    std::vector<std::vector<HeadDifference>> m_seeds;  // [seed][head of all layers and inputs]
    std::vector<std::vector<double>> m_layers;
    int64_t m_notFinite = 0;
};

/// What the network's outputs become, over inputs and seeds.
class EffectSums {
public:
    explicit EffectSums(const std::vector<int64_t>& heads)
        : m_heads(heads)
    {}

    void add(const at::Tensor& exact, const at::Tensor& changed)
    {
        ++m_count;
        if (m_heads.empty()) {
            m_first += cosines(exact, changed).mean().item<double>();
            return;
        }
        m_first += divergence(exact, changed, m_heads);
        m_agreed += sameFirstClasses(exact, changed, m_heads) ? 1 : 0;
    }

    std::optional<LeaderboardEffect> mean() const
    {
        if (m_count == 0)
            return {};
        const auto count = double(m_count);
        if (m_heads.empty())
            return LeaderboardEffect{.cosine = m_first / count};
        return LeaderboardEffect{.kl = m_first / count, .agreement = double(m_agreed) / count};
    }

private:
    const std::vector<int64_t>& m_heads;
    double m_first = 0;
    int64_t m_agreed = 0, m_count = 0;
};

AttentionShape shapeOf(const AttentionInput& in)
{
    return {in.q.size(1), in.q.size(2), in.k.size(2), in.q.size(3), in.v.size(3), in.keyGroups};
}

bool sameShape(const AttentionInput& a, const AttentionInput& b)
{
    const auto key = [](const AttentionInput& in) {
        const AttentionShape shape = shapeOf(in);
        return std::tuple(shape.heads, shape.queries, shape.keys, shape.width, shape.valueDim, shape.keyGroups,
                          in.tokens.rows, in.tokens.columns, in.tokens.frames, in.bias.defined());
    };
    return key(a) == key(b);
}

/// One element of a batch.
AttentionInput elementOf(AttentionInput in, int64_t element)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->narrow(0, element, 1).contiguous();
    return in;
}

}

LeaderboardMeasurement::LeaderboardMeasurement(OpenedSubject subject, const LeaderboardRequest& request,
                                               std::stop_token stop)
    : m_subject(std::move(subject))
    , m_request(request)
    , m_stop(std::move(stop))
    , m_exact(m_subject.network->prepare(m_subject.exact(request.seed), request.seed))
    , m_classHeads(headsOf(m_subject.network->describe()))
{
    forEachMeasuredView(
        m_subject.inputs, *m_subject.network, [this](NetworkInput view) { m_inputs.push_back(std::move(view)); },
        m_read, m_unreadable);
    if (m_inputs.empty())
        throw UsageError("", "none of the inputs can be read",
                         m_unreadable.empty() ? "" : m_unreadable.front().reason);
    std::vector<std::vector<std::pair<int64_t, AttentionInput>>> shapes;
    LayerVisitor visitor(m_stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor& out) {
        if (!isFinite(out))
            throw Unsupported("layer " + std::to_string(layer),
                              "the output of exact attention is not finite there",
                              "give an input and weights without NaN or infinity, or compute in float32");
        takeLayer(layer, in);
        auto same = std::ranges::find_if(shapes,
                                         [&](const auto& shape) { return sameShape(shape.front().second, in); });
        if (same == shapes.end()) {
            shapes.emplace_back();
            same = std::prev(shapes.end());
        }
        same->emplace_back(layer, in);
    });
    const at::Tensor output = pass(0, m_exact, visitor);
    if (output.defined() && !isFinite(output))
        throw Unsupported("", "the network's output with exact attention is not finite",
                          "give weights without NaN or infinity");
    for (const auto& shape : shapes) {
        const auto& [layer, in] = shape[shape.size() / 2];
        const int64_t batch = in.q.size(0);
        m_timed.push_back({size_t(layer), std::ssize(shape) * batch, elementOf(in, batch / 2)});
    }
    m_exactPeak = peakOf(m_exact);
    m_exactMacs = multiplyAddsOf(m_exact);
}

/// The network's output; undefined for tensors.
at::Tensor LeaderboardMeasurement::pass(size_t input, PreparedAttention& attention,
                                        ForwardObserver& observer) const
{
    attention.drawFor(m_inputs[input].samples);
    return m_subject.network->logits(m_inputs[input].values, attention, &observer);
}

void LeaderboardMeasurement::takeLayer(int64_t layer, const AttentionInput& in)
{
    const int64_t patches = std::min(in.q.size(2) - in.tokens.prefix,
                                     in.k.size(2) / in.keyGroups - in.keyLayout().prefix);
    m_layers += in.q.size(0);
    m_heads = in.q.size(1), m_width = in.q.size(3);
    m_tokens = std::max(m_tokens, in.q.size(2));
    m_prefix = std::max(m_prefix, in.tokens.prefix);
    m_maxPatches = std::max(m_maxPatches, in.q.size(2) - in.tokens.prefix);
    m_minPatches = layer == 0 ? patches : std::min(m_minPatches, patches);
}

void LeaderboardMeasurement::describe(LeaderboardReport& report) const
{
    m_subject.describe(report, m_request.seed);
    if (report.model)
        report.model->inputs = m_read;
    report.hasClasses = !m_classHeads.empty();
    report.inputs = std::ssize(m_inputs);
    report.unreadable = m_unreadable;
    report.exact = m_exact.requested.canonical();
    report.exactMeaning = m_exact.exactMeaning;
    report.layers = m_layers, report.heads = m_heads, report.tokens = m_tokens, report.prefix = m_prefix,
    report.width = m_width;
    report.timedLayers = std::ssize(m_timed);
    report.seed = m_request.seed;
    report.seeds = m_request.seeds;
}

PreparedAttention LeaderboardMeasurement::prepared(const AttentionSpec& spec) const
{
    PreparedAttention attention = m_subject.network->prepare(spec, m_request.seed);
    if (!(attention.exact == m_exact.exact))
        throw UsageError(spec.canonical(), "its exact attention has other keys than the network's own",
                         "measure it by `approximate --attention`");
    return attention;
}

LeaderboardRow LeaderboardMeasurement::measured(const AttentionSpec& spec, double seconds) const
{
    const auto begin = std::chrono::steady_clock::now();
    PreparedAttention attention = prepared(spec);
    LeaderboardRow row{
        .attention = spec.canonical(), .backend = spec.backend(), .samples = spec.samples().value_or(0)};
    row.deterministic = attention.deterministic;
    row.notes = attention.notes;
    measureError(attention, row);
    attention.drawFor(m_inputs.front().samples);
    measureTime(attention, seconds - secondsSince(begin), row);
    measureMemory(attention, row);
    row.macs = multiplyAddsOf(attention);
    row.exactMacs = m_exactMacs;
    return row;
}

void LeaderboardMeasurement::measureError(const PreparedAttention& attention, LeaderboardRow& row) const
{
    std::vector<PreparedAttention> seeds = attention.overSeeds(m_request.seeds);
    row.seeds = std::ssize(seeds);
    ErrorSums errors(seeds.size(), m_layers);
    EffectSums effects(m_classHeads);
    FallbackTally fallbacks;
    PreparedAttention exact = m_exact;
    for (size_t input = 0; input < m_inputs.size(); ++input) {
        for (PreparedAttention& seed : seeds)
            seed.drawFor(m_inputs[input].samples);
        LayerVisitor visitor(m_stop, [&](int64_t layer, const AttentionInput& in, const at::Tensor& out) {
            const auto index = size_t(layer);
            for (size_t seed = 0; seed < seeds.size(); ++seed) {
                checkStop(m_stop);
                const CountFallbacks counting(fallbacks);
                errors.add(seed, layer, seeds[seed].layers[index]->attend(in, *seeds[seed].noise[index]), out);
            }
        });
        const at::Tensor output = pass(input, exact, visitor);
        if (!output.defined())
            continue;
        StoppableObserver observer(m_stop);
        for (PreparedAttention& seed : seeds)
            effects.add(output, pass(input, seed, observer));
    }
    errors.finish(row);
    fallbacks.addTo(row.notes);
    row.effect = effects.mean();
}

/// Milliseconds of attention in all layers: one of each shape is run.
double LeaderboardMeasurement::timedPass(const PreparedAttention& attention) const
{
    double milliseconds = 0;
    for (const TimedLayer& timed : m_timed) {
        SectionTimer timer(m_subject.network->device());
        timer.begin();
        std::ignore = attention.layers[timed.layer]->attend(timed.input, *attention.noise[timed.layer]);
        timer.end();
        milliseconds += timer.take() * double(timed.count);
    }
    return milliseconds;
}

void LeaderboardMeasurement::measureTime(const PreparedAttention& attention, double seconds,
                                         LeaderboardRow& row) const
{
    const std::array alternatives{&attention, &m_exact};
    std::array<TimingSamples, 2> timings;
    const int64_t throttled = timesThrottled();
    std::array<int64_t, 2> perRound{};
    // What is added up stands for all layers, what is run for one of each shape.
    const double perRun = double(m_layers) / double(m_timed.size());
    const double enough = perRun * std::clamp(seconds / 2, 0.0, maxSecondsOfTimings);
    for (size_t i = 0; i < alternatives.size(); ++i) {
        checkStop(m_stop);
        std::ignore = timedPass(*alternatives[i]);
        perRound[i] = timingsPerRound(timedPass(*alternatives[i]),
                                      std::max(m_request.minimumRepetitions, defaultRounds), enough);
    }
    std::minstd_rand order(1);
    const auto takeTurn = [&](size_t i) {
        for (int64_t n = 0; n < perRound[i]; ++n) {
            checkStop(m_stop);
            const double milliseconds = timedPass(*alternatives[i]);
            timings[i].totalMs.push_back(milliseconds);
            timings[i].attentionMs.push_back(milliseconds);
        }
        timings[i].endRound();
    };
    takeTurns({0, 1}, order, takeTurn,
              [&](size_t i) { return timings[i].enough(m_request.minimumRepetitions, enough); });
    row.latency = timings[0].summary();
    row.exactLatency = timings[1].summary();
    noteThrottling(throttled, row.notes);
}

int64_t LeaderboardMeasurement::peakOf(const PreparedAttention& attention) const
{
    int64_t peak = 0;
    for (const TimedLayer& timed : m_timed) {
        const AllocationMeter meter(m_subject.network->device());
        std::ignore = attention.layers[timed.layer]->attend(timed.input, *attention.noise[timed.layer]);
        peak = std::max(peak, meter.peak());
    }
    return peak;
}

void LeaderboardMeasurement::measureMemory(const PreparedAttention& attention, LeaderboardRow& row) const
{
    row.peakBytes = peakOf(attention);
    row.exactPeakBytes = m_exactPeak;
}

double LeaderboardMeasurement::multiplyAddsOf(const PreparedAttention& attention) const
{
    double sum = 0;
    for (const TimedLayer& timed : m_timed)
        sum += double(timed.count) * attention.layers[timed.layer]->multiplyAdds(shapeOf(timed.input));
    return sum;
}

}

#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_tensors.h"

#include <cmath>
#include <functional>
#include <vector>

namespace attnscope {

namespace {

/// Number of keys that one task sums up: constant, so that sums don't depend on the number of threads.
constexpr int64_t keysOfTask = 1024;
constexpr int64_t queriesOfTask = 192;
/// Maximum number of values stored instead of recomputed: 2 MiB, which stay in the caches of two cores. More gains little.
constexpr int64_t maxKept = int64_t{1} << 19;

int64_t parts(int64_t count, int64_t each)
{
    return (count + each - 1) / each;
}

/// Sizes and buffers of one call, shared by its phases.
struct FeatureCall {
    const AttentionInput& in;
    const kernels::CpuKernels& cpu;
    const kernels::FeatureShape shape;
    const int64_t batch, heads, pairs;  ///< pairs of sample and head
    const int64_t groups, keys;         ///< keys: in a group
    const int64_t queries, scratchLength;
    const double stretch;         ///< factor of queries, whose inverse keys get
    const at::Tensor keyWeights;  ///< contiguous, or undefined
    const at::Tensor scratches;

    FeatureCall(const AttentionInput& input, int64_t samples, double factor = 1)
        : in(input)
        , cpu(kernels::cpuKernels())
        , shape(cpu.shape(in.q.size(3), samples, in.v.size(3)))
        , batch(in.q.size(0))
        , heads(in.q.size(1))
        , pairs(batch * heads)
        , groups(in.keyGroups)
        , keys(in.k.size(2) / in.keyGroups)
        , queries(in.q.size(2))
        , scratchLength(kernels::featureScratch(shape))
        , stretch(factor)
        , keyWeights(in.keyLogWeights.defined() ? in.keyLogWeights.contiguous() : at::Tensor())
        , scratches(emptyFloats({at::get_num_threads(), scratchLength}))
    {}

    float* scratch(int thread) const { return scratches.mutable_data_ptr<float>() + thread * scratchLength; }
    double cost(int64_t rows) const
    {
        return double(rows * shape.paddedSamples * (shape.width + shape.paddedValues));
    }

    /// (…,S,D) of some heads → columns multiplied by √scale and `factor`: `width` rows of paddedSamples each.
    at::Tensor packed(const at::Tensor& rows, double factor = 1) const
    {
        const auto flat = rows.reshape({-1, shape.samples, shape.width}).contiguous();
        const auto target = emptyFloats({flat.size(0), shape.width, shape.paddedSamples});
        for (int64_t head = 0; head < flat.size(0); ++head)
            cpu.packProjections(
                {.shape = shape,
                 .projections = {flat.const_data_ptr<float>() + head * flat.stride(0), shape.width},
                 .factor = float(std::sqrt(in.scale) * factor),
                 .columns = target.mutable_data_ptr<float>() + head * target.stride(0)});
        return target;
    }

    TokenMajorOutput emptyOutput() const { return emptyFloats({batch, queries, groups, heads, shape.valueDim}); }

    /// Log-weights of the keys from `first` on; null if there are none.
    const float* weights(int64_t pair, int64_t first) const
    {
        return keyWeights.defined() ? keyWeights.const_data_ptr<float>() + pair * groups * keys + first : nullptr;
    }

    /// Rows of the input's q, k or v.
    kernels::Rows rows(const at::Tensor& x, int64_t pair, int64_t first) const
    {
        return rowsOf(x, pair / heads, pair % heads, first);
    }
};

/// Means of values weighted by positive features, for each pair of sample and head and each group of keys.
struct KeySums {
    at::Tensor bias;    ///< log Σ_m ξ(k̂_m,ω_s): (pairs·G, paddedSamples), paddedLogit in the padding
    at::Tensor values;  ///< Σ_m ξ v_m / Σ_m ξ: (pairs·G, paddedSamples, paddedValues)
};

kernels::KeySummary summaryAt(const at::Tensor& maximum, const at::Tensor& sum, const at::Tensor& values,
                              int64_t at)
{
    return {maximum.mutable_data_ptr<float>() + at * maximum.stride(0),
            sum.mutable_data_ptr<float>() + at * sum.stride(0),
            values.mutable_data_ptr<float>() + at * values.stride(0)};
}

/// Adds summary `from` to `into`, sample by sample.
void merge(const kernels::FeatureShape& shape, const kernels::KeySummary& into, const kernels::KeySummary& from)
{
    for (int64_t s = 0; s < shape.samples; ++s) {
        const float maximum = std::max(into.maximum[s], from.maximum[s]);
        const float mine = std::exp(into.maximum[s] - maximum), other = std::exp(from.maximum[s] - maximum);
        into.maximum[s] = maximum;
        into.sum[s] = into.sum[s] * mine + from.sum[s] * other;
        float* values = into.values + s * shape.paddedValues;
        const float* added = from.values + s * shape.paddedValues;
        for (int64_t d = 0; d < shape.paddedValues; ++d)
            values[d] = values[d] * mine + added[d] * other;
    }
}

/// Turns maxima and sums into logarithms, and sums of values into means.
void finish(const kernels::FeatureShape& shape, const kernels::KeySummary& summary)
{
    for (int64_t s = 0; s < shape.paddedSamples; ++s) {
        if (s >= shape.samples) {
            summary.maximum[s] = kernels::paddedLogit;
            continue;
        }
        summary.maximum[s] += std::log(summary.sum[s]);
        const float inverse = 1 / summary.sum[s];
        float* values = summary.values + s * shape.paddedValues;
        for (int64_t d = 0; d < shape.paddedValues; ++d)
            values[d] *= inverse;
    }
}

/// projections: (pairs, width, paddedSamples), or one for each head.
const float* projectionsOf(const at::Tensor& projections, int64_t pair)
{
    return projections.const_data_ptr<float>() + pair % projections.size(0) * projections.stride(0);
}

/// Computed for each pair alongside its keys, in the given number of chunks.
struct SideTask {
    int64_t slices = 0;
    std::function<void(int64_t pair, int64_t slice, int thread)> work;
};

/// squareWeights: contiguous CpuSamples::squareWeights.
KeySums sumKeys(const FeatureCall& call, const at::Tensor& projections, const SideTask& sideTask = {},
                const at::Tensor& squareWeights = {})
{
    const kernels::FeatureShape& shape = call.shape;
    const int64_t chunks = parts(call.keys, keysOfTask), sums = call.pairs * call.groups;
    const auto maximum = emptyFloats({sums * chunks, shape.paddedSamples}),
               sum = emptyFloats({sums * chunks, shape.paddedSamples});
    const auto values = emptyFloats({sums * chunks, shape.paddedSamples, shape.paddedValues});
    const int64_t tasks = sums * chunks;
    forEachTask(tasks + call.pairs * sideTask.slices, call.cost(std::min(call.keys, keysOfTask)),
                [&](int64_t task, int thread) {
                    if (task >= tasks)
                        return sideTask.work((task - tasks) / sideTask.slices, (task - tasks) % sideTask.slices,
                                             thread);
                    const int64_t pair = task / chunks / call.groups, group = task / chunks % call.groups,
                                  first = task % chunks * keysOfTask;
                    call.cpu.summariseKeys(
                        {.shape = shape,
                         .projections = projectionsOf(projections, pair),
                         .scaleOver2 = float(call.in.scale / 2 / (call.stretch * call.stretch)),
                         .keys = call.rows(call.in.k, pair, group * call.keys + first),
                         .values = call.rows(call.in.v, pair, group * call.keys + first),
                         .logWeights = call.weights(pair, group * call.keys + first),
                         .count = std::min(keysOfTask, call.keys - first),
                         .summary = summaryAt(maximum, sum, values, task),
                         .scratch = call.scratch(thread),
                         .squareWeights = squareWeights.defined()
                                              ? squareWeights.const_data_ptr<float>() + pair * shape.width
                                              : nullptr});
                });
    for (int64_t i = 0; i < sums; ++i) {
        const auto whole = summaryAt(maximum, sum, values, i * chunks);
        for (int64_t c = 1; c < chunks; ++c)
            merge(shape, whole, summaryAt(maximum, sum, values, i * chunks + c));
        finish(shape, whole);
    }
    if (chunks == 1)
        return {maximum, values};
    return {maximum.unflatten(0, {sums, chunks}).select(1, 0).contiguous(),
            values.unflatten(0, {sums, chunks}).select(1, 0).contiguous()};
}

/// All queries against the sums over keys; `weightsOf(run)` returns LARA's weights of the samples. Writes the logs of the queries' sums
/// to `normalisers` (B,H,N) unless it is undefined.
template <typename WeightsOf>
at::Tensor attend(const FeatureCall& call, const at::Tensor& projections, const KeySums& keys,
                  const at::Tensor& normalisers, const WeightsOf& weightsOf)
{
    const kernels::FeatureShape& shape = call.shape;
    const TokenMajorOutput out = call.emptyOutput();
    forEachRun(call.pairs, call.queries, call.cost(1), [&](const QueryRun& run, int thread) {
        call.cpu.attendQueries(
            {.shape = shape,
             .projections = projectionsOf(projections, run.pair),
             .queries = call.rows(call.in.q, run.pair, run.first),
             .count = run.rows,
             .groups = call.groups,
             .bias = keys.bias.template const_data_ptr<float>() + run.pair * call.groups * shape.paddedSamples,
             .values = keys.values.template const_data_ptr<float>()
                       + run.pair * call.groups * keys.values.stride(0),
             .weights = weightsOf(run),
             .out = out.rows(run.pair / call.heads, run.pair % call.heads, run.first),
             .logNormaliser = normalisers.defined()
                                  ? normalisers.mutable_data_ptr<float>() + run.pair * call.queries + run.first
                                  : nullptr,
             .scratch = call.scratch(thread)});
    });
    return out.byHead();
}

/// log Σ_n exp(q̂_n·q̂̃_c) of each pair, (pairs, paddedSamples), computed in chunks of the queries. The exponents are stored for later use
/// if they are few: reading them is then faster than recomputing the product.
class QueryNormalisers {
public:
    QueryNormalisers(const FeatureCall& call, const at::Tensor& landmarks)
        : m_call(call)
        , m_landmarks(landmarks)
        , m_slices(parts(call.queries, keysOfTask))
        , m_maximum(emptyFloats({call.pairs, m_slices, call.shape.paddedSamples}))
        , m_sum(at::empty_like(m_maximum))
    {
        const int64_t exponents = call.pairs * call.queries * call.shape.paddedSamples;
        if (exponents <= maxKept)
            m_exponents = emptyFloats({call.pairs, call.queries, call.shape.paddedSamples});
    }

    int64_t slices() const { return m_slices; }

    void work(int64_t pair, int64_t slice, int thread) const
    {
        const int64_t first = slice * keysOfTask;
        m_call.cpu.normaliseColumns({.shape = m_call.shape,
                                     .projections = projectionsOf(m_landmarks, pair),
                                     .rows = m_call.rows(m_call.in.q, pair, first),
                                     .count = std::min(keysOfTask, m_call.queries - first),
                                     .maximum = row(m_maximum, pair, slice),
                                     .sum = row(m_sum, pair, slice),
                                     .exponents = exponents(pair, first),
                                     .scratch = m_call.scratch(thread)});
    }

    /// Exponents of queries from `first` on; null if not stored.
    float* exponents(int64_t pair, int64_t first) const
    {
        return m_exponents.defined() ? row(m_exponents, pair, first) : nullptr;
    }

    /// Once all chunks are done: (paddedSamples) of a pair.
    const float* of(int64_t pair) const { return row(m_maximum, pair, 0); }

    void finish() const
    {
        for (int64_t pair = 0; pair < m_call.pairs; ++pair) {
            float *const largest = row(m_maximum, pair, 0), *const total = row(m_sum, pair, 0);
            for (int64_t c = 0; c < m_call.shape.paddedSamples; ++c) {
                for (int64_t slice = 1; slice < m_slices; ++slice) {
                    const float other = row(m_maximum, pair, slice)[c], maximum = std::max(largest[c], other);
                    total[c] = total[c] * std::exp(largest[c] - maximum)
                               + row(m_sum, pair, slice)[c] * std::exp(other - maximum);
                    largest[c] = maximum;
                }
                largest[c] += std::log(total[c]);
            }
        }
    }

private:
    static float* row(const at::Tensor& x, int64_t pair, int64_t slice)
    {
        return x.mutable_data_ptr<float>() + pair * x.stride(0) + slice * x.stride(1);
    }

    const FeatureCall& m_call;
    at::Tensor m_landmarks;
    int64_t m_slices;
    at::Tensor m_maximum, m_sum, m_exponents;
};

/// For each proposal at its own sample, log densities relative to N(0, I): its own, and the balance heuristic own / Σ_c; both (pairs,
/// paddedSamples).
class Balance {
public:
    /// mean (B,H,C,D); projections as packed for keys.
    Balance(const FeatureCall& call, const at::Tensor& mean, const at::Tensor& projections)
        : m_call(call)
        , m_mean(mean)
        , m_projections(projections)
        , m_own(emptyFloats({call.pairs, call.shape.paddedSamples}))
        , m_fraction(at::empty_like(m_own))
    {}

    const float* own(int64_t pair) const { return row(m_own, pair); }
    const float* fraction(int64_t pair) const { return row(m_fraction, pair); }

    void work(int64_t pair, int thread) const
    {
        const kernels::FeatureShape& shape = m_call.shape;
        const kernels::Rows means = rowsOf(m_mean, pair / m_call.heads, pair % m_call.heads);
        std::vector<float> squares(size_t(shape.samples)), largest(size_t(shape.paddedSamples));
        m_call.cpu.squares(means, shape.samples, shape.width, 0.5f, squares.data());
        m_call.cpu.normaliseColumns({.shape = shape,
                                     .projections = projectionsOf(m_projections, pair),
                                     .rows = means,
                                     .count = shape.samples,
                                     .factor = float(m_call.stretch / std::sqrt(m_call.in.scale)),
                                     .shift = squares.data(),
                                     .maximum = largest.data(),
                                     .sum = row(m_fraction, pair),
                                     .diagonal = row(m_own, pair),
                                     .scratch = m_call.scratch(thread)});
        for (int64_t s = 0; s < shape.paddedSamples; ++s) {
            float& fraction = row(m_fraction, pair)[s];
            fraction = s < shape.samples ? std::exp(row(m_own, pair)[s] - largest[size_t(s)]) / fraction : 0;
        }
    }

private:
    static float* row(const at::Tensor& x, int64_t pair)
    {
        return x.mutable_data_ptr<float>() + pair * x.stride(0);
    }

    const FeatureCall& m_call;
    at::Tensor m_mean, m_projections, m_own, m_fraction;
};

/// Weights the features by α_c / q_c(ω_c), in place; without a correction (`balanced`) α_c is the balance heuristic itself.
void weighProposals(const FeatureCall& call, const Balance& balance, bool balanced, const at::Tensor& bias)
{
    const int64_t row = call.shape.paddedSamples;
    for (int64_t i = 0; i < call.pairs * call.groups; ++i) {
        const float *const own = balance.own(i / call.groups), *const fraction = balance.fraction(i / call.groups);
        float* const logits = bias.mutable_data_ptr<float>() + i * row;
        for (int64_t s = 0; s < call.shape.samples; ++s)
            logits[s] -= balanced ? own[s] - std::log(std::max(fraction[s], 1e-38f)) : own[s];
    }
}

at::Tensor positiveFeaturesInto(const AttentionInput& in, const CpuSamples& samples, const at::Tensor& normalisers)
{
    const FeatureCall call(in, samples.omega.size(-2));
    const auto forKeys = call.packed(samples.omega);
    const auto forQueries = samples.omegaOfQueries.defined() ? call.packed(samples.omegaOfQueries) : forKeys;
    const KeySums keys = sumKeys(
        call, forKeys, {}, samples.squareWeights.defined() ? samples.squareWeights.contiguous() : at::Tensor());
    if (samples.logWeight.defined())
        keys.bias.unflatten(0, {call.pairs, call.groups})
            .slice(-1, 0, call.shape.samples)
            .add_(samples.logWeight.reshape({call.pairs, 1, -1}));
    return attend(call, forQueries, keys, normalisers, [](const QueryRun&) { return kernels::LandmarkWeights{}; });
}

at::Tensor laraInto(const AttentionInput& in, const CpuLara& lara, const at::Tensor& normalisers)
{
    const FeatureCall call(in, lara.mean.size(-2), lara.stretch);
    const auto forKeys = call.packed(lara.omega, 1 / lara.stretch);
    const auto forQueries = lara.stretch == 1 ? forKeys : call.packed(lara.omega, lara.stretch);
    const Balance balance(call, lara.mean.contiguous(), forKeys);
    if (!lara.beta) {
        const auto weigh = [&](int64_t pair, int64_t, int thread) { balance.work(pair, thread); };
        const KeySums keys = sumKeys(call, forKeys, {1, weigh});
        weighProposals(call, balance, true, keys.bias);
        return attend(call, forQueries, keys, normalisers,
                      [](const QueryRun&) { return kernels::LandmarkWeights{}; });
    }
    const auto landmarks = call.packed(lara.queryLandmarks, lara.stretch);
    const QueryNormalisers ofQueries(call, landmarks);
    const KeySums keys = sumKeys(call, forKeys, {ofQueries.slices(), [&](int64_t pair, int64_t slice, int thread) {
                                                     if (slice == 0)
                                                         balance.work(pair, thread);
                                                     ofQueries.work(pair, slice, thread);
                                                 }});
    ofQueries.finish();
    weighProposals(call, balance, false, keys.bias);
    return attend(call, forQueries, keys, normalisers, [&](const QueryRun& run) {
        return kernels::LandmarkWeights{.landmarks = projectionsOf(landmarks, run.pair),
                                        .normaliser = ofQueries.of(run.pair),
                                        .balance = balance.fraction(run.pair),
                                        .beta = float(*lara.beta),
                                        .floor = float(lara.floor),
                                        .exponents = ofQueries.exponents(run.pair, run.first)};
    });
}

/// What `attendInto(normalisers)` returns and writes.
template <typename AttendInto>
AttentionPart partOf(const AttentionInput& in, const AttendInto& attendInto)
{
    const auto normalisers = emptyFloats(in.q.sizes().slice(0, 3));
    const auto out = attendInto(normalisers);
    return {out, normalisers};
}

}

std::vector<ChannelMoments> channelMomentsOnCpu(const std::vector<at::Tensor>& xs)
{
    const at::Tensor& first = xs.front();
    const int64_t heads = first.size(1), pairs = first.size(0) * heads, width = first.size(3),
                  tensors = int64_t(xs.size());
    const auto sums = emptyFloats({tensors, 2, first.size(0), heads, 1, width});
    const kernels::CpuKernels& cpu = kernels::cpuKernels();
    auto* const out = sums.mutable_data_ptr<float>();
    forEachTask(tensors * pairs, double(first.size(2) * width), [&](int64_t task, int) {
        const int64_t pair = task % pairs;
        const at::Tensor& x = xs[size_t(task / pairs)];
        float *const mean = out + (task / pairs * 2 * pairs + pair) * width, *const square = mean + pairs * width;
        cpu.sumsOfColumns(rowsOf(x, pair / heads, pair % heads), x.size(2), width, mean, square);
        const auto count = float(x.size(2));
        for (int64_t d = 0; d < width; ++d)
            mean[d] /= count, square[d] /= count;
    });
    std::vector<ChannelMoments> moments;
    for (const at::Tensor& own : sums.unbind(0))
        moments.push_back({own.select(0, 0), own.select(0, 1)});
    return moments;
}

at::Tensor positiveFeaturesOnCpu(const AttentionInput& in, const CpuSamples& samples)
{
    return positiveFeaturesInto(in, samples, {});
}

AttentionPart positiveFeaturesPartOnCpu(const AttentionInput& in, const CpuSamples& samples)
{
    return partOf(in,
                  [&](const at::Tensor& normalisers) { return positiveFeaturesInto(in, samples, normalisers); });
}

at::Tensor laraOnCpu(const AttentionInput& in, const CpuLara& lara)
{
    return laraInto(in, lara, {});
}

AttentionPart laraPartOnCpu(const AttentionInput& in, const CpuLara& lara)
{
    return partOf(in, [&](const at::Tensor& normalisers) { return laraInto(in, lara, normalisers); });
}

at::Tensor fourierFeaturesOnCpu(const AttentionInput& in, const at::Tensor& omega, double floor)
{
    const FeatureCall call(in, omega.size(-2));
    const kernels::FeatureShape& shape = call.shape;
    const auto projections = call.packed(omega);
    const int64_t sums = call.pairs * call.groups, block = 2 * shape.paddedSamples * shape.paddedValues;
    const auto sum = emptyFloats({sums, 2 * shape.paddedSamples}), valueSums = emptyFloats({sums, block});
    forEachTask(sums, 2 * call.cost(call.keys), [&](int64_t task, int thread) {
        const int64_t pair = task / call.groups, first = task % call.groups * call.keys;
        const kernels::Rows keys = call.rows(call.in.k, pair, first);
        const auto scaleOver2 = float(in.scale / 2);
        call.cpu.summariseFourier({.shape = shape,
                                   .projections = projectionsOf(projections, pair),
                                   .scaleOver2 = scaleOver2,
                                   .shift = scaleOver2 * call.cpu.largestSquare(keys, call.keys, shape.width),
                                   .keys = keys,
                                   .values = call.rows(call.in.v, pair, first),
                                   .count = call.keys,
                                   .sum = sum.mutable_data_ptr<float>() + task * 2 * shape.paddedSamples,
                                   .valueSums = valueSums.mutable_data_ptr<float>() + task * block,
                                   .scratch = call.scratch(thread)});
    });
    const TokenMajorOutput out = call.emptyOutput();
    const int64_t chunks = parts(call.queries, queriesOfTask);
    forEachTask(
        call.pairs * chunks, 2 * call.cost(std::min(call.queries, queriesOfTask)), [&](int64_t task, int thread) {
            const int64_t pair = task / chunks, first = task % chunks * queriesOfTask;
            call.cpu.attendFourier(
                {.shape = shape,
                 .projections = projectionsOf(projections, pair),
                 .queries = call.rows(call.in.q, pair, first),
                 .count = std::min(queriesOfTask, call.queries - first),
                 .groups = call.groups,
                 .sum = sum.const_data_ptr<float>() + pair * call.groups * 2 * shape.paddedSamples,
                 .valueSums = valueSums.const_data_ptr<float>() + pair * call.groups * block,
                 // Features here lack the factor 1/√S, which both sums have in the reference implementation.
                 .floor = float(floor * double(shape.samples)),
                 .out = out.rows(pair / call.heads, pair % call.heads, first),
                 .scratch = call.scratch(thread)});
        });
    return out.byHead();
}

}

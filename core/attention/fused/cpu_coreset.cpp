#include "core/attention/fused/cpu_coreset.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

namespace attnscope {

namespace {

/// The coresets of all heads, and what their queries need besides.
struct CoresetSummaries {
    at::Tensor keys;               ///< (P,S,D)
    at::Tensor bias, masses;       ///< (P,S)
    at::Tensor values;             ///< (P,S,padded)
    at::Tensor middle, low, high;  ///< (P,padded)
    std::vector<float> tops;       ///< the logarithm of masses' unit
    std::vector<int64_t> counts;   ///< of chosen keys
};

/// The largest ½‖g_m‖² + w_m.
float largestLogMass(const float* squares, const float* logWeights, int64_t count, float factor)
{
    float top = -std::numeric_limits<float>::infinity();
    for (int64_t m = 0; m < count; ++m)
        top = std::max(top, factor * squares[m] + (logWeights == nullptr ? 0 : logWeights[m]));
    return top;
}

class CoresetOnCpu {
public:
    CoresetOnCpu(const AttentionInput& in, const CpuCoreset& coreset)
        : m_in(in)
        , m_coreset(coreset)
        , m_heads(in.q.size(1))
        , m_pairs(in.q.size(0) * m_heads)
        , m_queries(in.q.size(2))
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_valueDim(in.v.size(3))
        , m_bins(std::min(coreset.bins, m_keys))
        , m_perBin(std::min(coreset.samples / coreset.bins, (m_keys + m_bins - 1) / m_bins))
        , m_padded(m_cpu.padded(m_valueDim))
        , m_logWeights(in.keyLogWeights.defined() ? in.keyLogWeights.contiguous() : at::Tensor())
        , m_uniform(coreset.uniform.defined() ? coreset.uniform.contiguous() : at::Tensor())
        , m_cancelled(size_t(m_pairs))
    {
        const int64_t most = m_bins * m_perBin;
        m_all = {emptyFloats({m_pairs, most, m_width}), emptyFloats({m_pairs, most}),
                 emptyFloats({m_pairs, most}),          emptyFloats({m_pairs, most, m_padded}),
                 at::zeros({m_pairs, m_padded}),        at::zeros({m_pairs, m_padded}),
                 at::zeros({m_pairs, m_padded}),        std::vector<float>(size_t(m_pairs)),
                 std::vector<int64_t>(size_t(m_pairs))};
    }

    AttentionPart run()
    {
        chooseAll();
        AttentionPart part = attendAll();
        if (m_tally != nullptr)
            m_tally->add(coresetCancelled,
                         std::ranges::count_if(m_cancelled, [](const auto& one) { return one.load(); }), m_pairs);
        return part;
    }

private:
    void chooseAll()
    {
        const int64_t longest = (m_keys + m_bins - 1) / m_bins;
        const auto scratch = emptyFloats(
            {at::get_num_threads(), kernels::coresetScratch(longest, m_width, m_perBin, m_valueDim)});
        const auto cost = double(m_keys * m_perBin) * (double(m_width + m_valueDim) + double(m_perBin) / 2);
        forEachTask(m_pairs, cost, [&](int64_t pair, int thread) {
            choose(pair, scratch.mutable_data_ptr<float>() + thread * scratch.stride(0));
        });
    }

    void choose(int64_t pair, float* scratch)
    {
        const int64_t sample = pair / m_heads, head = pair % m_heads;
        const kernels::Rows values = rowsOf(m_in.v, sample, head);
        float *const low = rowOf(m_all.low, pair), *const high = rowOf(m_all.high, pair),
                     *const middle = rowOf(m_all.middle, pair);
        m_cpu.rangeOfColumns(values, m_keys, m_valueDim, low, high);
        for (int64_t d = 0; d < m_valueDim; ++d)
            middle[d] = 0.5f * low[d] + 0.5f * high[d];
        const auto temperature = double(m_coreset.temperature.const_data_ptr<float>()[pair]);
        const auto factor = float(0.5 * m_in.scale / (temperature * temperature));
        const float* const squares = m_coreset.centred.squares.const_data_ptr<float>() + pair * m_keys;
        const float* const logWeights = m_logWeights.defined()
                                            ? m_logWeights.const_data_ptr<float>() + pair * m_keys
                                            : nullptr;
        m_all.tops[size_t(pair)] = largestLogMass(squares, logWeights, m_keys, factor);
        std::vector<int32_t> chosen(static_cast<size_t>(m_perBin));
        int64_t found = 0, begin = 0;
        for (int64_t bin = 0; bin < m_bins; ++bin) {
            const int64_t end = begin + (m_keys + bin) / m_bins;  // the shorter runs first
            found += m_cpu.chooseCoreset(
                {.keys = rowsOf(m_in.k, sample, head, begin),
                 .values = {values.data + begin * values.stride, values.stride},
                 .count = end - begin,
                 .width = m_width,
                 .valueDim = m_valueDim,
                 .mean = rowOf(m_coreset.centred.mean, pair, m_width),
                 .squares = squares + begin,
                 .logWeights = logWeights == nullptr ? nullptr : logWeights + begin,
                 .factor = factor,
                 .top = m_all.tops[size_t(pair)],
                 .middle = middle,
                 .samples = std::min(m_perBin, end - begin),
                 .uniform = m_uniform.defined() ? m_uniform.const_data_ptr<float>() + pair * m_coreset.samples
                                                      + bin * (m_coreset.samples / m_coreset.bins)
                                                : nullptr,
                 .chosen = chosen.data(),
                 .chosenKeys = rowOf(m_all.keys, pair) + found * m_width,
                 .bias = rowOf(m_all.bias, pair) + found,
                 .masses = rowOf(m_all.masses, pair) + found,
                 .sums = rowOf(m_all.values, pair) + found * m_padded,
                 .scratch = scratch});
            begin = end;
        }
        m_all.counts[size_t(pair)] = found;
    }

    AttentionPart attendAll()
    {
        const TokenMajorOutput out(emptyFloats({m_in.q.size(0), m_queries, 1, m_heads, m_valueDim}));
        const auto normalisers = m_coreset.normaliser ? emptyFloats({m_in.q.size(0), m_heads, m_queries})
                                                      : at::Tensor();
        const int64_t most = m_bins * m_perBin, own = kernels::queryBlock * m_width;
        const auto scratch = emptyFloats(
            {at::get_num_threads(), own + kernels::coresetQueryScratch(most, m_valueDim)});
        forEachRun(
            m_pairs, m_queries, double(most * (m_width + m_valueDim)), [&](const QueryRun& run, int thread) {
                const int64_t sample = run.pair / m_heads, head = run.pair % m_heads;
                const auto pair = size_t(run.pair);
                float* const columns = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
                int64_t cancelled = 0;
                float* const logs = m_coreset.normaliser
                                        ? normalisers.mutable_data_ptr<float>() + run.pair * m_queries + run.first
                                        : nullptr;
                m_cpu.packQueries({.queries = rowsOf(m_in.q, sample, head, run.first),
                                   .count = run.rows,
                                   .width = m_width,
                                   .columns = columns});
                m_cpu.attendCoreset({.columns = columns,
                                     .rows = run.rows,
                                     .width = m_width,
                                     .keys = rowOf(m_all.keys, run.pair),
                                     .bias = rowOf(m_all.bias, run.pair),
                                     .masses = rowOf(m_all.masses, run.pair),
                                     .values = rowOf(m_all.values, run.pair),
                                     .count = m_all.counts[pair],
                                     .valueDim = m_valueDim,
                                     .factor = float(m_in.scale),
                                     .middle = rowOf(m_all.middle, run.pair),
                                     .low = m_coreset.clip ? rowOf(m_all.low, run.pair) : nullptr,
                                     .high = m_coreset.clip ? rowOf(m_all.high, run.pair) : nullptr,
                                     .out = out.rows(sample, head, run.first),
                                     .logNormaliser = logs,
                                     .cancelled = m_tally == nullptr ? nullptr : &cancelled,
                                     .mean = rowOf(m_coreset.centred.mean, run.pair, m_width),
                                     .scratch = columns + own});
                if (cancelled > 0)
                    m_cancelled[pair] = true;
                if (logs != nullptr)
                    for (int64_t n = 0; n < run.rows; ++n)
                        logs[n] += m_all.tops[pair];
            });
        return {out.byHead(), normalisers};
    }

    /// What a tensor (P,…) has for one pair.
    static float* rowOf(const at::Tensor& x, int64_t pair)
    {
        return x.mutable_data_ptr<float>() + pair * x.stride(0);
    }
    static const float* rowOf(const at::Tensor& x, int64_t pair, int64_t length)
    {
        return x.const_data_ptr<float>() + pair * length;
    }

    const AttentionInput& m_in;
    const CpuCoreset& m_coreset;
    const kernels::CpuKernels& m_cpu = kernels::cpuKernels();
    int64_t m_heads, m_pairs, m_queries, m_keys, m_width, m_valueDim, m_bins, m_perBin, m_padded;
    at::Tensor m_logWeights, m_uniform;
    CoresetSummaries m_all;
    FallbackTally* m_tally = FallbackTally::current();
    std::vector<std::atomic<bool>> m_cancelled;  ///< of each head: several threads attend for it
};

}

CpuCentredKeys centredKeysOnCpu(const AttentionInput& in)
{
    const auto& cpu = kernels::cpuKernels();
    const auto heads = in.q.size(1), pairs = in.q.size(0) * heads, keys = in.k.size(2), width = in.k.size(3);
    const CpuCentredKeys found{emptyFloats({in.q.size(0), heads, width}), emptyFloats({in.q.size(0), heads, keys}),
                               emptyFloats({in.q.size(0), heads}), emptyFloats({in.q.size(0), heads})};
    forEachTask(pairs, double((3 * keys + in.q.size(2)) * width), [&](int64_t pair, int) {
        const kernels::Rows own = rowsOf(in.k, pair / heads, pair % heads);
        float* const mean = found.mean.mutable_data_ptr<float>() + pair * width;
        float* const squares = found.squares.mutable_data_ptr<float>() + pair * keys;
        cpu.meanOfCell(own, 1, keys, keys, width, mean);
        cpu.centredSquares(own, keys, width, mean, squares);
        found.keyRadius.mutable_data_ptr<float>()[pair] = std::sqrt(*std::max_element(squares, squares + keys));
        found.queryRadius.mutable_data_ptr<float>()[pair] = std::sqrt(
            cpu.largestSquare(rowsOf(in.q, pair / heads, pair % heads), in.q.size(2), width));
    });
    return found;
}

AttentionPart coresetOnCpu(const AttentionInput& in, const CpuCoreset& coreset)
{
    return CoresetOnCpu(in, coreset).run();
}

}

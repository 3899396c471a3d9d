#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_tensors.h"

#include <cmath>
#include <optional>
#include <vector>

namespace attnscope {

namespace {

/// One call for one sample of the batch: queries in blocks.
class RandomizedCall {
public:
    RandomizedCall(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
        : m_in(in)
        , m_randomized(randomized)
        , m_cpu(kernels::cpuKernels())
        , m_heads(in.q.size(1))
        , m_queries(in.q.size(2))
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_valueDim(in.v.size(3))
        , m_root(float(std::sqrt(in.scale)))
    {
        const auto batch = in.q.size(0);
        if (randomized.mean == CpuRandomized::Mean::DrawnKey)
            m_u = noise.uniform("u", {batch, m_heads, m_queries, randomized.samples}, in.q.options()).contiguous();
        if (!randomized.stddev)
            return;
        m_stream = noise.stream("eps", batch);
        if (!m_stream)
            m_eps = noise.normal("eps", {batch, m_heads, m_queries, randomized.samples, m_width}, in.q.options())
                        .contiguous();
    }

    at::Tensor run()
    {
        const auto batch = m_in.q.size(0);
        m_out = TokenMajorOutput(emptyFloats({batch, m_queries, 1, m_heads, m_valueDim}));
        weighKeys();
        if (m_randomized.mean == CpuRandomized::Mean::PlainMeanKey)
            m_meanKey = (m_in.k.mean(2) * m_root).contiguous();
        m_scratchLength = std::max(kernels::softmaxScratch(std::max(m_valueDim, m_width)),
                                   kernels::drawScratch(m_keys));
        m_scratch = emptyFloats({at::get_num_threads(), m_scratchLength + BlockMemory::size(m_width)});
        const auto cost = double(m_keys * m_width * (1 + 2 * m_randomized.samples));
        forEachRun(batch * m_heads, m_queries, cost, [&](const QueryRun& run, int thread) {
            attendBlock(run, m_scratch.mutable_data_ptr<float>() + thread * m_scratch.stride(0));
        });
        return m_out.byHead();
    }

private:
    /// The rows of one block of queries, and those of one query as columns; follows a task's scratch memory.
    struct BlockMemory {
        float *query, *mean, *omega, *columns, *eps;

        BlockMemory(float* memory, int64_t width)
            : query(memory)
            , mean(query + kernels::queryBlock * width)
            , omega(mean + kernels::queryBlock * width)
            , columns(omega + kernels::queryBlock * width)
            , eps(columns + kernels::queryBlock * width)
        {}
        static int64_t size(int64_t width) { return (4 * kernels::queryBlock + 1) * width; }
    };

    /// −½‖k̂‖² of all keys: added to the keys' logits for the output, but not for the mixture's weights.
    void weighKeys()
    {
        const int64_t pairs = m_in.q.size(0) * m_heads;
        m_norms = emptyFloats({pairs, m_keys});
        forEachTask(pairs, double(m_keys * m_width), [&](int64_t pair, int) {
            m_cpu.squares(rowsOf(m_in.k, pair / m_heads, pair % m_heads), m_keys, m_width, -0.5f * m_root * m_root,
                          m_norms.mutable_data_ptr<float>() + pair * m_keys);
        });
    }

    void pack(const float* rows, int64_t count, const BlockMemory& memory) const
    {
        m_cpu.packQueries(
            {.queries = {rows, m_width}, .count = count, .width = m_width, .columns = memory.columns});
    }

    void attendBlock(const QueryRun& run, float* scratch)
    {
        const BlockMemory memory(scratch + m_scratchLength, m_width);
        const kernels::Rows q = rowsOf(m_in.q, run.pair / m_heads, run.pair % m_heads, run.first);
        for (int64_t n = 0; n < run.rows; ++n)
            for (int64_t d = 0; d < m_width; ++d)
                memory.query[n * m_width + d] = q.data[n * q.stride + d] * m_root;
        if (m_randomized.mean != CpuRandomized::Mean::PlainMeanKey)
            pack(memory.query, run.rows, memory);
        if (m_randomized.mean == CpuRandomized::Mean::ExpectedKey)
            expectKeys(run, memory, scratch);
        const std::vector<int64_t> drawn = drawKeys(run, memory, scratch);
        for (int64_t s = 0; s < m_randomized.samples; ++s) {
            for (int64_t n = 0; n < run.rows; ++n)
                makeSample(run.pair, run.first + n, s,
                           drawn.empty() ? -1 : drawn[size_t(n * m_randomized.samples + s)],
                           {memory.query + n * m_width, memory.mean + n * m_width, memory.omega + n * m_width,
                            memory.eps});
            pack(memory.omega, run.rows, memory);
            m_cpu.softmaxRows({.columns = memory.columns,
                               .rows = run.rows,
                               .width = m_width,
                               .keys = keysOf(run.pair),
                               .count = m_keys,
                               .factor = m_root,
                               .bias = m_norms.const_data_ptr<float>() + run.pair * m_keys,
                               .values = rowsOf(m_in.v, run.pair / m_heads, run.pair % m_heads),
                               .valueDim = m_valueDim,
                               .outputFactor = 1.0f / float(m_randomized.samples),
                               .add = s > 0,
                               .out = m_out.rows(run.pair / m_heads, run.pair % m_heads, run.first),
                               .scratch = scratch});
        }
    }

    kernels::Rows keysOf(int64_t pair) const { return rowsOf(m_in.k, pair / m_heads, pair % m_heads); }

    /// E[k̂] under the softmax weights: attention with the keys as values.
    void expectKeys(const QueryRun& run, const BlockMemory& memory, float* scratch) const
    {
        m_cpu.softmaxRows({.columns = memory.columns,
                           .rows = run.rows,
                           .width = m_width,
                           .keys = keysOf(run.pair),
                           .count = m_keys,
                           .factor = m_root,
                           .values = keysOf(run.pair),
                           .valueDim = m_width,
                           .outputFactor = m_root,
                           .out = {memory.mean, m_width},
                           .scratch = scratch});
    }

    /// The sampled components of all samples of these queries, rows of S; empty if none are sampled.
    std::vector<int64_t> drawKeys(const QueryRun& run, const BlockMemory& memory, float* scratch) const
    {
        if (!m_u.defined())
            return {};
        std::vector<int64_t> drawn(size_t(run.rows * m_randomized.samples));
        m_cpu.drawKeys(
            {.queries = memory.query,
             .columns = memory.columns,
             .rows = run.rows,
             .width = m_width,
             .keys = keysOf(run.pair),
             .count = m_keys,
             .factor = m_root,
             .uniform = m_u.const_data_ptr<float>() + (run.pair * m_queries + run.first) * m_randomized.samples,
             .draws = m_randomized.samples,
             .drawn = drawn.data(),
             .scratch = scratch});
        return drawn;
    }

    struct SampleRows {
        const float *query, *mean;
        float *omega, *eps;
    };

    /// ω = q̂ + mean + stddev · ε of one query; `key` is the sampled component, or −1.
    void makeSample(int64_t pair, int64_t n, int64_t s, int64_t key, const SampleRows& rows) const
    {
        const float* mean = rows.mean;
        float factor = 1;
        if (key >= 0) {
            mean = rowsOf(m_in.k, pair / m_heads, pair % m_heads, key).data;
            factor = m_root;
        } else if (m_meanKey.defined()) {
            mean = m_meanKey.const_data_ptr<float>() + pair * m_width;
        }
        for (int64_t d = 0; d < m_width; ++d)
            rows.omega[d] = rows.query[d] + factor * mean[d];
        if (!m_randomized.stddev)
            return;
        const int64_t at = ((pair % m_heads * m_queries + n) * m_randomized.samples + s) * m_width;
        const float* eps = rows.eps;
        if (m_stream)
            fillNormal(*m_stream, pair / m_heads, static_cast<uint64_t>(at), {rows.eps, size_t(m_width)});
        else
            eps = m_eps.const_data_ptr<float>() + pair / m_heads * m_eps.stride(0) + at;
        const auto stddev = float(*m_randomized.stddev);
        for (int64_t d = 0; d < m_width; ++d)
            rows.omega[d] += stddev * eps[d];
    }

    const AttentionInput& m_in;
    const CpuRandomized& m_randomized;
    const kernels::CpuKernels& m_cpu;
    int64_t m_heads, m_queries, m_keys, m_width, m_valueDim, m_scratchLength = 0;
    float m_root;
    at::Tensor m_u, m_eps, m_norms, m_meanKey, m_scratch;
    TokenMajorOutput m_out;
    std::optional<NoiseStream> m_stream;
};

}

at::Tensor randomizedOnCpu(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
{
    return RandomizedCall(in, randomized, noise).run();
}

}

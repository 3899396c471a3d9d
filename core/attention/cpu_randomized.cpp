// SPDX-License-Identifier: Apache-2.0
#include "core/attention/cpu_attention.h"
#include "core/attention/cpu_tensors.h"

#include <cmath>
#include <vector>

namespace attnscope {

namespace {

/// One call for one sample of the batch: keys packed once a head, queries in blocks.
class RandomizedCall {
public:
    RandomizedCall(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
        : m_in(in)
        , m_randomized(randomized)
        , m_noise(noise)
        , m_cpu(kernels::cpuKernels())
        , m_heads(in.q.size(1))
        , m_queries(in.q.size(2))
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_valueWidth(in.v.size(3))
        , m_root(static_cast<float>(std::sqrt(in.scale)))
    {
        const auto batch = in.q.size(0);
        if (randomized.mean == CpuRandomized::Mean::DrawnKey)
            m_u = noise.uniform("u", {batch, m_heads, m_queries, randomized.samples}, in.q.options()).contiguous();
        if (!randomized.deviation)
            return;
        m_streams = noise.streams("eps");
        if (!m_streams)
            m_eps = noise.normal("eps", {batch, m_heads, m_queries, randomized.samples, m_width}, in.q.options()).contiguous();
    }

    at::Tensor run()
    {
        const auto batch = m_in.q.size(0), blocks = (m_queries + kernels::queryBlock - 1) / kernels::queryBlock;
        m_out = TokenMajorAnswer(at::zeros({batch, m_queries, 1, m_heads, m_valueWidth}, at::kFloat));
        packAll();
        if (m_randomized.mean == CpuRandomized::Mean::PlainMeanKey)
            m_meanKey = (m_in.k.mean(2) * m_root).contiguous();
        m_scratchLength = std::max(kernels::softmaxScratch(std::max(m_valueWidth, m_width)), kernels::drawScratch(m_keys));
        const std::int64_t block = kernels::queryBlock * m_width;
        m_scratch = emptyFloats({at::get_num_threads(), m_scratchLength + 4 * block});
        const double cost = static_cast<double>(kernels::queryBlock * m_keys) * static_cast<double>(m_width)
                            * static_cast<double>(1 + 2 * m_randomized.samples);
        forEachTask(batch * m_heads * blocks, cost, [&](std::int64_t task, int thread) {
            answerBlock(task / blocks, task % blocks * kernels::queryBlock, m_scratch.mutable_data_ptr<float>() + thread * m_scratch.stride(0));
        });
        return m_out.byHead();
    }

private:
    void packAll()
    {
        const std::int64_t pairs = m_in.q.size(0) * m_heads;
        m_tilesLength = kernels::tilesSize(m_keys, m_width);
        m_tiles = emptyFloats({pairs, m_tilesLength});
        // The mixture's weights are of the plain keys, the answers of keys with −½‖k̂‖²: the same tiles, other biases.
        m_zeros = emptyFloats({pairs, kernels::paddedKeys(m_keys)});
        m_norms = emptyFloats({pairs, kernels::paddedKeys(m_keys)});
        forEachTask(pairs, static_cast<double>(m_keys * m_width), [&](std::int64_t pair, int) {
            m_cpu.packKeys({.keys = rowsOf(m_in.k, pair / m_heads, pair % m_heads),
                            .count = m_keys,
                            .width = m_width,
                            .factor = m_root,
                            .tiles = m_tiles.mutable_data_ptr<float>() + pair * m_tilesLength,
                            .zeros = m_zeros.mutable_data_ptr<float>() + pair * m_zeros.stride(0),
                            .norms = m_norms.mutable_data_ptr<float>() + pair * m_norms.stride(0)});
        });
    }

    void answerBlock(std::int64_t pair, std::int64_t first, float* scratch)
    {
        const std::int64_t rows = std::min(kernels::queryBlock, m_queries - first), block = kernels::queryBlock * m_width;
        float* const query = scratch + m_scratchLength;
        float* const mean = query + block;
        float* const omega = mean + block;
        const kernels::Rows q = rowsOf(m_in.q, pair / m_heads, pair % m_heads, first);
        for (std::int64_t n = 0; n < rows; ++n)
            for (std::int64_t d = 0; d < m_width; ++d)
                query[n * m_width + d] = q.data[n * q.stride + d] * m_root;
        if (m_randomized.mean == CpuRandomized::Mean::ExpectedKey)
            expectKeys(pair, query, rows, mean, scratch);
        const std::vector<std::int64_t> drawn = drawKeys(pair, first, rows, query, scratch);
        for (std::int64_t s = 0; s < m_randomized.samples; ++s) {
            for (std::int64_t n = 0; n < rows; ++n)
                makeSample(pair, first + n, s, drawn.empty() ? -1 : drawn[static_cast<std::size_t>(n * m_randomized.samples + s)],
                           {query + n * m_width, mean + n * m_width, omega + n * m_width, omega + block});
            m_cpu.softmaxRows({.queries = omega,
                               .rows = rows,
                               .width = m_width,
                               .tiles = m_tiles.const_data_ptr<float>() + pair * m_tilesLength,
                               .biases = m_norms.const_data_ptr<float>() + pair * m_norms.stride(0),
                               .count = m_keys,
                               .values = rowsOf(m_in.v, pair / m_heads, pair % m_heads),
                               .valueWidth = m_valueWidth,
                               .share = 1.0f / static_cast<float>(m_randomized.samples),
                               .out = m_out.rows(pair / m_heads, pair % m_heads, first),
                               .scratch = scratch});
        }
    }

    /// E[k̂] under the softmax weights: attention whose values are the keys.
    void expectKeys(std::int64_t pair, const float* query, std::int64_t rows, float* mean, float* scratch) const
    {
        std::fill_n(mean, rows * m_width, 0.0f);
        m_cpu.softmaxRows({.queries = query,
                           .rows = rows,
                           .width = m_width,
                           .tiles = m_tiles.const_data_ptr<float>() + pair * m_tilesLength,
                           .biases = m_zeros.const_data_ptr<float>() + pair * m_zeros.stride(0),
                           .count = m_keys,
                           .values = rowsOf(m_in.k, pair / m_heads, pair % m_heads),
                           .valueWidth = m_width,
                           .share = m_root,
                           .out = {mean, m_width},
                           .scratch = scratch});
    }

    /// The components of all samples of these queries, rows of S; empty where none is drawn.
    std::vector<std::int64_t> drawKeys(std::int64_t pair, std::int64_t first, std::int64_t rows, const float* query, float* scratch) const
    {
        if (!m_u.defined())
            return {};
        std::vector<std::int64_t> drawn(static_cast<std::size_t>(rows * m_randomized.samples));
        m_cpu.drawKeys({.queries = query,
                        .rows = rows,
                        .width = m_width,
                        .tiles = m_tiles.const_data_ptr<float>() + pair * m_tilesLength,
                        .biases = m_zeros.const_data_ptr<float>() + pair * m_zeros.stride(0),
                        .count = m_keys,
                        .uniform = m_u.const_data_ptr<float>() + (pair * m_queries + first) * m_randomized.samples,
                        .draws = m_randomized.samples,
                        .drawn = drawn.data(),
                        .scratch = scratch});
        return drawn;
    }

    struct SampleRows {
        const float *query, *mean;
        float *omega, *scratch;
    };

    /// ω = q̂ + mean + deviation · ε of one query; `key` is the component that was drawn, or −1.
    void makeSample(std::int64_t pair, std::int64_t n, std::int64_t s, std::int64_t key, const SampleRows& rows) const
    {
        const float* mean = rows.mean;
        float factor = 1;
        if (key >= 0) {
            mean = rowsOf(m_in.k, pair / m_heads, pair % m_heads, key).data;
            factor = m_root;
        } else if (m_meanKey.defined()) {
            mean = m_meanKey.const_data_ptr<float>() + pair * m_width;
        }
        for (std::int64_t d = 0; d < m_width; ++d)
            rows.omega[d] = rows.query[d] + factor * mean[d];
        if (!m_randomized.deviation)
            return;
        const std::int64_t at = ((pair % m_heads * m_queries + n) * m_randomized.samples + s) * m_width;
        const float* eps = rows.scratch;
        if (m_streams)
            m_noise.fillNormal("eps", pair / m_heads, static_cast<std::uint64_t>(at), {rows.scratch, static_cast<std::size_t>(m_width)});
        else
            eps = m_eps.const_data_ptr<float>() + pair / m_heads * m_eps.stride(0) + at;
        const auto deviation = static_cast<float>(*m_randomized.deviation);
        for (std::int64_t d = 0; d < m_width; ++d)
            rows.omega[d] += deviation * eps[d];
    }

    const AttentionInput& m_in;
    const CpuRandomized& m_randomized;
    const NoiseSource& m_noise;
    const kernels::CpuKernels& m_cpu;
    std::int64_t m_heads, m_queries, m_keys, m_width, m_valueWidth, m_tilesLength = 0, m_scratchLength = 0;
    float m_root;
    at::Tensor m_u, m_eps, m_tiles, m_zeros, m_norms, m_meanKey, m_scratch;
    TokenMajorAnswer m_out;
    bool m_streams = false;
};

}  // namespace

at::Tensor randomizedOnCpu(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise)
{
    return RandomizedCall(in, randomized, noise).run();
}

}  // namespace attnscope

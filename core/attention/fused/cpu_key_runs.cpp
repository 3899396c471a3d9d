#include "core/attention/fused/cpu_key_runs.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

/// The keys of one block of queries, as runs of rows.
class RunsOfBlock {
public:
    RunsOfBlock(const AttentionInput& in, const CpuKeyRuns& runs, const at::Tensor& weights)
        : m_in(in)
        , m_runs(runs)
        , m_weights(weights)
        , m_blocks(int64_t(runs.keyBounds.size()) - 1)
        , m_taken(size_t(m_blocks))
        , m_restBias(size_t(m_blocks))
    {}

    /// `list`: `keep` blocks.
    const std::vector<kernels::KeyRun>& of(int64_t element, const int64_t* list, int64_t keep)
    {
        std::ranges::fill(m_taken, 0);
        for (int64_t i = 0; i < keep; ++i)
            if (list[i] >= 0)
                m_taken[size_t(list[i])] = 1;
        const char* const taken = m_taken.data();
        const int64_t sample = element / m_in.q.size(1), head = element % m_in.q.size(1);
        m_found.clear();
        if (m_runs.restKeys.defined()) {
            const float* const mass = m_runs.restLogMass.const_data_ptr<float>() + element * m_blocks;
            for (int64_t i = 0; i < m_blocks; ++i)
                m_restBias[size_t(i)] = taken[i] != 0 ? kernels::paddedLogit
                                                      : std::max(mass[i], kernels::paddedLogit);
            m_found.push_back({rowsOf(m_runs.restKeys, sample, head), rowsOf(m_runs.restValues, sample, head),
                               m_blocks, m_restBias.data()});
        }
        for (int64_t i = 0; i < m_blocks; ++i) {
            if (taken[i] == 0)
                continue;
            const int64_t begin = boundOf(i);
            while (i + 1 < m_blocks && taken[i + 1] != 0)
                ++i;
            m_found.push_back(
                {rowsOf(m_in.k, sample, head, begin), rowsOf(m_in.v, sample, head, begin), boundOf(i + 1) - begin,
                 m_weights.defined() ? m_weights.const_data_ptr<float>() + element * m_in.k.size(2) + begin
                                     : nullptr});
        }
        return m_found;
    }

private:
    int64_t boundOf(int64_t block) const { return m_runs.keyBounds[size_t(block)]; }

    const AttentionInput& m_in;
    const CpuKeyRuns& m_runs;
    const at::Tensor& m_weights;
    int64_t m_blocks;
    std::vector<char> m_taken;
    std::vector<float> m_restBias;
    std::vector<kernels::KeyRun> m_found;
};

}

at::Tensor rowsInOrderOnCpu(const at::Tensor& x, const at::Tensor& order)
{
    const int64_t heads = x.size(1), count = order.size(2), width = x.size(3);
    const auto out = emptyFloats({x.size(0), heads, count, width});
    forEachTask(x.size(0) * heads, double(count * width), [&](int64_t element, int) {
        const kernels::Rows from = rowsOf(x, element / heads, element % heads);
        const int64_t* const index = order.const_data_ptr<int64_t>() + element / heads * order.stride(0)
                                     + element % heads * order.stride(1);
        float* to = out.mutable_data_ptr<float>() + element * count * width;
        for (int64_t n = 0; n < count; ++n, to += width)
            std::copy_n(from.data + index[n * order.stride(2)] * from.stride, width, to);
    });
    return out;
}

AttentionPart keyRunsOnCpu(const AttentionInput& in, const CpuKeyRuns& given)
{
    CpuKeyRuns runs = given;
    runs.restLogMass = runs.restLogMass.contiguous();
    const auto& cpu = kernels::cpuKernels();
    const auto heads = in.q.size(1), elements = in.q.size(0) * heads, queries = in.q.size(2), width = in.q.size(3),
               valueDim = in.v.size(3);
    const auto blocks = int64_t(runs.queryBounds.size()) - 1, keyBlocks = int64_t(runs.keyBounds.size()) - 1;
    const auto taken = runs.taken.contiguous();
    const int64_t keep = taken.size(3);
    const at::Tensor weights = in.keyLogWeights.defined()
                                   ? in.keyLogWeights.clamp_min(kernels::paddedLogit).contiguous()
                                   : at::Tensor();
    const int64_t scratchLength = kernels::softmaxScratch(valueDim);
    const auto scratch = emptyFloats(
        {at::get_num_threads(), scratchLength + kernels::queryBlock * (width + valueDim + 1)});
    const auto normalisers = emptyFloats({in.q.size(0), heads, queries});
    const TokenMajorOutput out(emptyFloats({in.q.size(0), queries, 1, heads, valueDim}));
    const auto orderOf = [&](int64_t element) {
        return element / heads * runs.queryOrder.stride(0) + element % heads * runs.queryOrder.stride(1);
    };
    std::vector<RunsOfBlock> own(size_t(at::get_num_threads()), RunsOfBlock(in, runs, weights));
    const int64_t rows = queries / blocks + 1;  // of a block, about
    const auto cost = double(rows * (keyBlocks + 64) * (width + valueDim));
    forEachTask(elements * blocks, cost, [&](int64_t task, int thread) {
        const int64_t element = task / blocks, block = task % blocks;
        const auto& keys = own[size_t(thread)].of(
            element, taken.const_data_ptr<int64_t>() + (element * blocks + block) * keep, keep);
        float* const memory = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        float *const columns = memory + scratchLength, *const rows = columns + kernels::queryBlock * width,
                     *const sums = rows + kernels::queryBlock * valueDim;
        const kernels::OutputRows results = out.rows(element / heads, element % heads, 0);
        const int64_t end = runs.queryBounds[size_t(block) + 1];
        for (int64_t first = runs.queryBounds[size_t(block)]; first < end; first += kernels::queryBlock) {
            const int64_t count = std::min(kernels::queryBlock, end - first);
            cpu.packQueries({.queries = rowsOf(in.q, element / heads, element % heads, first),
                             .count = count,
                             .width = width,
                             .columns = columns});
            cpu.softmaxRows({.columns = columns,
                             .rows = count,
                             .width = width,
                             .keys = keys.front().keys,
                             .count = keys.front().count,
                             .factor = float(in.scale),
                             .bias = keys.front().bias,
                             .values = keys.front().values,
                             .valueDim = valueDim,
                             .further = keys.data() + 1,
                             .furtherCount = int64_t(keys.size()) - 1,
                             .out = {rows, valueDim},
                             .logNormaliser = sums,
                             .scratch = memory});
            for (int64_t n = 0; n < count; ++n) {
                const int64_t query =
                    runs.queryOrder.defined()
                        ? runs.queryOrder.const_data_ptr<int64_t>()[orderOf(element)
                                                                    + (first + n) * runs.queryOrder.stride(2)]
                        : first + n;
                std::copy_n(rows + n * valueDim, valueDim, results.data + query * results.stride);
                normalisers.mutable_data_ptr<float>()[element * queries + query] = sums[n];
            }
        }
    });
    return {out.byHead(), normalisers};
}

}

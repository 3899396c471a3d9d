#include "core/attention/fused/cpu_attention.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <vector>

namespace attnscope {

bool fitsCpuKernels(const at::Tensor& x)
{
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.stride(3) == 1
           && !(at::GradMode::is_enabled() && x.requires_grad());
}

bool fitsCpuKernels(const AttentionInput& in, KeyWeights weights)
{
    const at::Tensor& w = in.keyLogWeights;
    const bool weighted = w.defined()
                          && (weights == KeyWeights::Unknown || w.scalar_type() != at::kFloat
                              || (at::GradMode::is_enabled() && w.requires_grad()));
    return fitsCpuKernels(in.q) && fitsCpuKernels(in.k) && fitsCpuKernels(in.v) && !weighted;
}

bool fitsPairKernels(const AttentionInput& in)
{
    const auto fits = [](const at::Tensor& x) {
        const bool even = x.stride(0) % 2 == 0 && x.stride(1) % 2 == 0 && x.stride(2) % 2 == 0
                          && x.storage_offset() % 2 == 0;
        return x.is_cpu() && x.scalar_type() == at::kBFloat16 && x.stride(3) == 1 && even && x.size(3) % 16 == 0
               && !(at::GradMode::is_enabled() && x.requires_grad());
    };
    return fits(in.q) && fits(in.k) && fits(in.v) && !in.keyLogWeights.defined();
}

at::Tensor cellMeansOnCpu(const at::Tensor& x, const Cells& cells)
{
    const auto batch = x.size(0), heads = x.size(1), width = x.size(3);
    const auto across = int64_t(cells.across.size()), count = int64_t(cells.down.size()) * across;
    const auto& cpu = kernels::cpuKernels();
    const auto out = emptyFloats({batch, heads, count, width});
    forEachTask(batch * heads, double(x.size(2) * width), [&](int64_t pair, int) {
        const kernels::Rows tokens = rowsOf(x, pair / heads, pair % heads);
        float* mean = out.mutable_data_ptr<float>() + pair * count * width;
        for (const Cells::Range& rows : cells.down) {
            for (const Cells::Range& columns : cells.across) {
                cpu.meanOfCell(
                    {tokens.data + (rows.begin * cells.columns + columns.begin) * tokens.stride, tokens.stride},
                    rows.end - rows.begin, columns.end - columns.begin, cells.columns, width, mean);
                mean += width;
            }
        }
    });
    return out;
}

namespace {

/// The words of keys and values as softmax kernels read them, again and again: as they lie, or, where a head's rows are spread over more memory
/// than a processor keeps addresses for, a copy for each thread of the head that it is at.
class HeadRows {
public:
    explicit HeadRows(const AttentionInput& in)
        : m_in(in)
        , m_rows(in.q.scalar_type() == at::kBFloat16 ? &pairsOf : &rowsOf)
        , m_keyWords(wordsOf(in.k))
        , m_valueWords(wordsOf(in.v))
    {
        constexpr int64_t reach = 8 << 20;  // bytes: 2048 pages, as many addresses as a core of Zen 3 keeps
        constexpr int64_t manyQueries = 1024;
        const int64_t keys = in.k.size(2), spread = std::max(in.k.stride(2), in.v.stride(2)) * in.k.element_size();
        const bool apart = spread > 2 * in.k.element_size() * std::max(in.k.size(3), in.v.size(3));
        if (in.q.size(2) < manyQueries || !apart || keys * spread <= reach)
            return;
        m_copies = emptyFloats({at::get_num_threads(), keys * (m_keyWords + m_valueWords)});
        m_copied.assign(size_t(m_copies.size(0)), -1);
    }

    struct Both {
        kernels::Rows keys, values;
    };
    Both of(int64_t pair, int thread)
    {
        const int64_t sample = pair / m_in.q.size(1), head = pair % m_in.q.size(1);
        const Both stored{m_rows(m_in.k, sample, head, 0), m_rows(m_in.v, sample, head, 0)};
        if (!m_copies.defined())
            return stored;
        float* const keys = m_copies.mutable_data_ptr<float>() + thread * m_copies.stride(0);
        float* const values = keys + m_in.k.size(2) * m_keyWords;
        if (auto& copied = m_copied[size_t(thread)]; copied != pair) {
            for (int64_t m = 0; m < m_in.k.size(2); ++m) {
                std::copy_n(stored.keys.data + m * stored.keys.stride, m_keyWords, keys + m * m_keyWords);
                std::copy_n(stored.values.data + m * stored.values.stride, m_valueWords,
                            values + m * m_valueWords);
            }
            copied = pair;
        }
        return {{keys, m_keyWords}, {values, m_valueWords}};
    }

private:
    static int64_t wordsOf(const at::Tensor& x) { return x.size(3) * int64_t(x.element_size()) / 4; }

    const AttentionInput& m_in;
    kernels::Rows (*m_rows)(const at::Tensor&, int64_t, int64_t, int64_t);
    int64_t m_keyWords, m_valueWords;
    at::Tensor m_copies;
    std::vector<int64_t> m_copied;  ///< the pair of sample and head that each thread has copied
};

/// Writes normalisers to `normalisers` (B,H,N) unless it is undefined.
at::Tensor softmaxInto(const AttentionInput& in, const at::Tensor& normalisers)
{
    const auto& cpu = kernels::cpuKernels();
    const bool pairs = in.q.scalar_type() == at::kBFloat16;
    const auto rows = pairs ? &pairsOf : &rowsOf;
    const auto batch = in.q.size(0), heads = in.q.size(1), queries = in.q.size(2), keys = in.k.size(2),
               valueDim = in.v.size(3);
    const auto words = pairs ? in.q.size(3) / 2 : in.q.size(3), scratchLength = kernels::softmaxScratch(valueDim);
    const auto scratch = emptyFloats({at::get_num_threads(), scratchLength + kernels::queryBlock * words});
    const TokenMajorOutput out(at::empty({batch, queries, 1, heads, valueDim}, in.q.scalar_type()));
    HeadRows headRows(in);
    const at::Tensor weights = in.keyLogWeights.defined() ? in.keyLogWeights.contiguous() : at::Tensor();
    forEachRun(batch * heads, queries, double(keys * (words + valueDim)), [&](const QueryRun& run, int thread) {
        const auto sample = run.pair / heads, head = run.pair % heads;
        float* const own = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        float* const columns = own + scratchLength;
        const HeadRows::Both both = headRows.of(run.pair, thread);
        cpu.packQueries({.queries = rows(in.q, sample, head, run.first),
                         .count = run.rows,
                         .width = words,
                         .columns = columns});
        const kernels::SoftmaxRows task{
            .columns = columns,
            .rows = run.rows,
            .width = words,
            .keys = both.keys,
            .count = keys,
            .factor = float(in.scale),
            .bias = weights.defined() ? weights.const_data_ptr<float>() + run.pair * keys : nullptr,
            .values = both.values,
            .valueDim = valueDim,
            .out = out.rows(sample, head, run.first),
            .logNormaliser = normalisers.defined()
                                 ? normalisers.mutable_data_ptr<float>() + run.pair * queries + run.first
                                 : nullptr,
            .scratch = own};
        pairs ? cpu.softmaxBfloat16(task) : cpu.softmaxRows(task);
    });
    return out.byHead();
}

}

at::Tensor softmaxOnCpu(const AttentionInput& in)
{
    return softmaxInto(in, {});
}

AttentionPart softmaxPartOnCpu(const AttentionInput& in)
{
    const auto normalisers = emptyFloats(in.q.sizes().slice(0, 3));
    const auto out = softmaxInto(in, normalisers);
    return {out, normalisers};
}

}

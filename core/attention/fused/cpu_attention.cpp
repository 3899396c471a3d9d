// SPDX-License-Identifier: Apache-2.0
#include "core/attention/fused/cpu_attention.h"

#include "core/attention/fused/cpu_tensors.h"

namespace attnscope {

bool fitsCpuKernels(const at::Tensor& x)
{
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.stride(3) == 1 && !(at::GradMode::is_enabled() && x.requires_grad());
}

bool fitsCpuKernels(const AttentionInput& in, KeyWeights weights)
{
    const at::Tensor& w = in.keyLogWeights;
    const bool weighted = w.defined()
                          && (weights == KeyWeights::Unknown || w.scalar_type() != at::kFloat || (at::GradMode::is_enabled() && w.requires_grad()));
    return fitsCpuKernels(in.q) && fitsCpuKernels(in.k) && fitsCpuKernels(in.v) && !weighted;
}

bool fitsPairKernels(const AttentionInput& in)
{
    const auto fits = [](const at::Tensor& x) {
        const bool even = x.stride(0) % 2 == 0 && x.stride(1) % 2 == 0 && x.stride(2) % 2 == 0 && x.storage_offset() % 2 == 0;
        return x.is_cpu() && x.scalar_type() == at::kBFloat16 && x.stride(3) == 1 && even && x.size(3) % 16 == 0
               && !(at::GradMode::is_enabled() && x.requires_grad());
    };
    return fits(in.q) && fits(in.k) && fits(in.v) && !in.keyLogWeights.defined();
}

at::Tensor cellMeansOnCpu(const at::Tensor& x, const Cells& cells)
{
    const auto batch = x.size(0), heads = x.size(1), width = x.size(3);
    const auto across = static_cast<std::int64_t>(cells.across.size()), count = static_cast<std::int64_t>(cells.down.size()) * across;
    const auto& cpu = kernels::cpuKernels();
    const auto out = emptyFloats({batch, heads, count, width});
    forEachTask(batch * heads, static_cast<double>(x.size(2) * width), [&](std::int64_t pair, int) {
        const kernels::Rows tokens = rowsOf(x, pair / heads, pair % heads);
        float* mean = out.mutable_data_ptr<float>() + pair * count * width;
        for (const Cells::Range& rows : cells.down) {
            for (const Cells::Range& columns : cells.across) {
                cpu.meanOfCell({tokens.data + (rows.begin * cells.columns + columns.begin) * tokens.stride, tokens.stride}, rows.end - rows.begin,
                               columns.end - columns.begin, cells.columns, width, mean);
                mean += width;
            }
        }
    });
    return out;
}

namespace {

/// Writes normalisers to `normalisers` (B,H,N) unless it is undefined.
at::Tensor softmaxInto(const AttentionInput& in, const at::Tensor& normalisers)
{
    const auto& cpu = kernels::cpuKernels();
    const bool pairs = in.q.scalar_type() == at::kBFloat16;
    const auto rows = pairs ? &pairsOf : &rowsOf;
    const auto batch = in.q.size(0), heads = in.q.size(1), queries = in.q.size(2), keys = in.k.size(2), valueDim = in.v.size(3);
    const auto words = pairs ? in.q.size(3) / 2 : in.q.size(3), scratchLength = kernels::softmaxScratch(valueDim);
    const auto scratch = emptyFloats({at::get_num_threads(), scratchLength + kernels::queryBlock * words});
    const TokenMajorOutput out(at::empty({batch, queries, 1, heads, valueDim}, in.q.scalar_type()));
    const at::Tensor weights = in.keyLogWeights.defined() ? in.keyLogWeights.contiguous() : at::Tensor();
    forEachRun(batch * heads, queries, static_cast<double>(keys * (words + valueDim)), [&](const QueryRun& run, int thread) {
        const auto sample = run.pair / heads, head = run.pair % heads;
        float* const own = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        float* const columns = own + scratchLength;
        cpu.packQueries({.queries = rows(in.q, sample, head, run.first), .count = run.rows, .width = words, .columns = columns});
        const kernels::SoftmaxRows task{.columns = columns,
                                        .rows = run.rows,
                                        .width = words,
                                        .keys = rows(in.k, sample, head, 0),
                                        .count = keys,
                                        .factor = static_cast<float>(in.scale),
                                        .bias = weights.defined() ? weights.const_data_ptr<float>() + run.pair * keys : nullptr,
                                        .values = rows(in.v, sample, head, 0),
                                        .valueDim = valueDim,
                                        .out = out.rows(sample, head, run.first),
                                        .logNormaliser =
                                            normalisers.defined() ? normalisers.mutable_data_ptr<float>() + run.pair * queries + run.first : nullptr,
                                        .scratch = own};
        pairs ? cpu.softmaxBfloat16(task) : cpu.softmaxRows(task);
    });
    return out.byHead();
}

}  // namespace

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

}  // namespace attnscope

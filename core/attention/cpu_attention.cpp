// SPDX-License-Identifier: Apache-2.0
#include "core/attention/cpu_attention.h"

#include "core/attention/cpu_tensors.h"

#include <algorithm>

namespace attnscope {

namespace {

void addTo(float* sum, const float* added, std::int64_t count)
{
    std::transform(added, added + count, sum, sum, [](float one, float other) { return one + other; });
}

}  // namespace

bool fitsCpuKernels(const at::Tensor& x)
{
    return x.is_cpu() && x.scalar_type() == at::kFloat && x.stride(3) == 1 && !(at::GradMode::is_enabled() && x.requires_grad());
}

bool fitsCpuKernels(const AttentionInput& in)
{
    return fitsCpuKernels(in.q) && fitsCpuKernels(in.k) && fitsCpuKernels(in.v);
}

at::Tensor cellMeansOnCpu(const at::Tensor& x, const Cells& cells)
{
    const auto batch = x.size(0), heads = x.size(1), width = x.size(3);
    const auto across = static_cast<std::int64_t>(cells.across.size()), count = static_cast<std::int64_t>(cells.down.size()) * across;
    const auto out = at::zeros({batch, heads, count, width}, at::kFloat);
    forEachTask(batch * heads, static_cast<double>(x.size(2) * width), [&](std::int64_t pair, int) {
        const kernels::Rows tokens = rowsOf(x, pair / heads, pair % heads);
        float* mean = out.mutable_data_ptr<float>() + pair * count * width;
        for (const Cells::Range& rows : cells.down) {
            for (const Cells::Range& columns : cells.across) {
                for (std::int64_t r = rows.begin; r < rows.end; ++r)
                    for (std::int64_t c = columns.begin; c < columns.end; ++c)
                        addTo(mean, tokens.data + (r * cells.columns + c) * tokens.stride, width);
                const auto share = 1 / static_cast<float>((rows.end - rows.begin) * (columns.end - columns.begin));
                std::transform(mean, mean + width, mean, [share](float sum) { return sum * share; });
                mean += width;
            }
        }
    });
    return out;
}

at::Tensor softmaxOnCpu(const AttentionInput& in)
{
    const auto& cpu = kernels::cpuKernels();
    const auto batch = in.q.size(0), heads = in.q.size(1), queries = in.q.size(2), width = in.q.size(3), keys = in.k.size(2);
    const auto valueWidth = in.v.size(3), scratchLength = kernels::softmaxScratch(valueWidth);
    const auto scratch = emptyFloats({at::get_num_threads(), scratchLength + kernels::queryBlock * width});
    const TokenMajorAnswer out(emptyFloats({batch, queries, 1, heads, valueWidth}));
    forEachRun(batch * heads, queries, static_cast<double>(keys * (width + valueWidth)), [&](const QueryRun& run, int thread) {
        const auto sample = run.pair / heads, head = run.pair % heads;
        float* const own = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        float* const columns = own + scratchLength;
        cpu.packQueries({.queries = rowsOf(in.q, sample, head, run.first), .count = run.rows, .width = width, .columns = columns});
        cpu.softmaxRows({.columns = columns,
                         .rows = run.rows,
                         .width = width,
                         .keys = rowsOf(in.k, sample, head),
                         .count = keys,
                         .factor = static_cast<float>(in.scale),
                         .values = rowsOf(in.v, sample, head),
                         .valueWidth = valueWidth,
                         .out = out.rows(sample, head, run.first),
                         .scratch = own});
    });
    return out.byHead();
}

}  // namespace attnscope

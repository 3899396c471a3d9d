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
    const auto valueWidth = in.v.size(3), blocks = (queries + kernels::queryBlock - 1) / kernels::queryBlock;
    const auto tilesLength = kernels::tilesSize(keys, width), scratchLength = kernels::softmaxScratch(valueWidth);
    const auto tiles = emptyFloats({batch * heads, tilesLength}), zeros = emptyFloats({batch * heads, kernels::paddedKeys(keys)});
    const auto scratch = emptyFloats({at::get_num_threads(), scratchLength + kernels::queryBlock * width});
    const TokenMajorAnswer out(at::zeros({batch, queries, 1, heads, valueWidth}, at::kFloat));
    forEachTask(batch * heads, static_cast<double>(keys * width), [&](std::int64_t task, int) {
        cpu.packKeys({.keys = rowsOf(in.k, task / heads, task % heads),
                      .count = keys,
                      .width = width,
                      .factor = static_cast<float>(in.scale),
                      .tiles = tiles.mutable_data_ptr<float>() + task * tilesLength,
                      .zeros = zeros.mutable_data_ptr<float>() + task * zeros.stride(0)});
    });
    const double cost = static_cast<double>(2 * kernels::queryBlock * keys * width);
    forEachTask(batch * heads * blocks, cost, [&](std::int64_t task, int thread) {
        const auto head = task / blocks, first = task % blocks * kernels::queryBlock;
        const auto rows = std::min(kernels::queryBlock, queries - first);
        float* const own = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        float* const block = own + scratchLength;
        const kernels::Rows q = rowsOf(in.q, head / heads, head % heads, first);
        for (std::int64_t n = 0; n < rows; ++n)
            std::copy_n(q.data + n * q.stride, width, block + n * width);
        cpu.softmaxRows({.queries = block,
                         .rows = rows,
                         .width = width,
                         .tiles = tiles.const_data_ptr<float>() + head * tilesLength,
                         .biases = zeros.const_data_ptr<float>() + head * zeros.stride(0),
                         .count = keys,
                         .values = rowsOf(in.v, head / heads, head % heads),
                         .valueWidth = valueWidth,
                         .out = out.rows(head / heads, head % heads, first),
                         .scratch = own});
    });
    return out.byHead();
}

}  // namespace attnscope

#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/parallel.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

/// Conversions between tensors and the kernels of core/kernels/cpu.
namespace attnscope {

/// Rows of head h of sample b: x (B,H,N,D) with contiguous channels.
inline kernels::Rows rowsOf(const at::Tensor& x, int64_t b, int64_t h, int64_t first = 0)
{
    return {x.const_data_ptr<float>() + b * x.stride(0) + h * x.stride(1) + first * x.stride(2), x.stride(2)};
}

/// The same for a bfloat16 tensor, as words of packed bfloat16: strides and offsets are even.
inline kernels::Rows pairsOf(const at::Tensor& x, int64_t b, int64_t h, int64_t first = 0)
{
    const auto at = b * x.stride(0) + h * x.stride(1) + first * x.stride(2);
    return {static_cast<const float*>(x.const_data_ptr()) + at / 2, x.stride(2) / 2};
}

inline at::Tensor emptyFloats(at::IntArrayRef sizes)
{
    return at::empty(sizes, at::kFloat);
}

/// (B,N,G,H,Dv) → (B,H,N,Dv), or (B,H,N,G,Dv) if G > 1; no copy.
inline at::Tensor byHead(const at::Tensor& tokenMajor)
{
    return tokenMajor.size(2) == 1 ? tokenMajor.squeeze(2).transpose(1, 2) : tokenMajor.permute({0, 3, 1, 2, 4});
}

/// Output in the order in which the projection after an attention reads it, token by token with all heads: (B,N,G,H,Dv).
struct TokenMajorOutput {
    at::Tensor values;

    TokenMajorOutput() = default;
    TokenMajorOutput(at::Tensor memory)
        : values(std::move(memory))
    {}

    /// Rows n·G + g of head h of sample b, from query `first` on; for bfloat16 as words of packed bfloat16.
    kernels::OutputRows rows(int64_t b, int64_t h, int64_t first) const
    {
        const auto at = b * values.stride(0) + first * values.stride(1) + h * values.stride(3);
        const int64_t perWord = values.scalar_type() == at::kBFloat16 ? 2 : 1;
        return {static_cast<float*>(values.mutable_data_ptr()) + at / perWord, values.stride(2) / perWord};
    }
    at::Tensor byHead() const { return attnscope::byHead(values); }
};

/// Calls work(task, thread) for each task, with as many threads as `cost` multiply-adds per task justify; the most expensive tasks should
/// come first.
template <std::invocable<int64_t, int> Work>
void forEachTask(int64_t tasks, double cost, const Work& work)
{
    kernels::forEachTaken(tasks, kernels::grainOf(cost), work);
}

/// Queries [first, first + rows) of one pair of sample and head, at most kernels::queryBlock.
struct QueryRun {
    int64_t pair = 0, first = 0, rows = 0;
};

/// Calls work(run, thread) for all queries of all pairs. Queries are distributed in units of sixteen, so that no thread waits for another
/// with one more block; the output does not depend on the grouping. cost: multiply-adds per query.
template <std::invocable<QueryRun, int> Work>
void forEachRun(int64_t pairs, int64_t queries, double cost, const Work& work)
{
    constexpr int64_t unit = 16;
    const int64_t units = (queries + unit - 1) / unit;
    kernels::forEachChunk(
        pairs * units, kernels::grainOf(cost * unit), [&](int64_t begin, int64_t end, int thread) {
            while (begin < end) {
                const int64_t pair = begin / units, at = begin % units;
                const int64_t taken = std::min({kernels::queryBlock / unit, units - at, end - begin});
                work(QueryRun{pair, at * unit, std::min(taken * unit, queries - at * unit)}, thread);
                begin += taken;
            }
        });
}

}

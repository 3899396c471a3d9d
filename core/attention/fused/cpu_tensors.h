// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/parallel.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <utility>

/// Between tensors and the kernels of core/kernels/cpu.
namespace attnscope {

/// Rows of head h of sample b: x (B,H,N,D) whose channels lie next to each other.
inline kernels::Rows rowsOf(const at::Tensor& x, std::int64_t b, std::int64_t h, std::int64_t first = 0)
{
    return {x.const_data_ptr<float>() + b * x.stride(0) + h * x.stride(1) + first * x.stride(2), x.stride(2)};
}

/// The same of a tensor of bfloat16, as words of two: strides and offsets are even.
inline kernels::Rows pairsOf(const at::Tensor& x, std::int64_t b, std::int64_t h, std::int64_t first = 0)
{
    const auto at = b * x.stride(0) + h * x.stride(1) + first * x.stride(2);
    return {static_cast<const float*>(x.const_data_ptr()) + at / 2, x.stride(2) / 2};
}

inline at::Tensor emptyFloats(at::IntArrayRef sizes)
{
    return at::empty(sizes, at::kFloat);
}

/// Answers in the order in which the projection behind an attention reads them, token by token with all heads: (B,N,G,H,Dv).
struct TokenMajorOutput {
    at::Tensor values;

    TokenMajorOutput() = default;
    TokenMajorOutput(at::Tensor memory)
        : values(std::move(memory))
    {}

    /// Rows n·G + g of head h of sample b, from query `first` on; of bfloat16 as words of two.
    kernels::OutputRows rows(std::int64_t b, std::int64_t h, std::int64_t first) const
    {
        const auto at = b * values.stride(0) + first * values.stride(1) + h * values.stride(3);
        const std::int64_t fraction = values.scalar_type() == at::kBFloat16 ? 2 : 1;
        return {static_cast<float*>(values.mutable_data_ptr()) + at / fraction, values.stride(2) / fraction};
    }
    /// (B,H,N,Dv), or (B,H,N,G,Dv) where G > 1; no copy.
    at::Tensor byHead() const
    {
        return values.size(2) == 1 ? values.squeeze(2).transpose(1, 2) : values.permute({0, 3, 1, 2, 4});
    }
};

/// Calls work(task, thread) for each task, by as many threads as pay at `cost` multiply-adds a task; the dearest should come first.
template <typename Work>
void forEachTask(std::int64_t tasks, double cost, const Work& work)
{
    kernels::forEachTaken(tasks, kernels::grainOf(cost), work);
}

/// Queries [first, first + rows) of one pair of sample and head, at most kernels::queryBlock.
struct QueryRun {
    std::int64_t pair = 0, first = 0, rows = 0;
};

/// Calls work(run, thread) for all queries of all pairs. Threads share them by sixteens, so that none waits for another that has a
/// block more; which queries come together does not change what comes out. cost: multiply-adds of a query.
template <typename Work>
void forEachRun(std::int64_t pairs, std::int64_t queries, double cost, const Work& work)
{
    constexpr std::int64_t fraction = 16;
    const std::int64_t fractions = (queries + fraction - 1) / fraction;
    kernels::forEachChunk(pairs * fractions, kernels::grainOf(cost * fraction), [&](std::int64_t begin, std::int64_t end, int thread) {
        while (begin < end) {
            const std::int64_t pair = begin / fractions, at = begin % fractions;
            const std::int64_t taken = std::min({kernels::queryBlock / fraction, fractions - at, end - begin});
            work(QueryRun{pair, at * fraction, std::min(taken * fraction, queries - at * fraction)}, thread);
            begin += taken;
        }
    });
}

}  // namespace attnscope

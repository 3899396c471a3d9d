// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/cpu_kernels.h"

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

inline at::Tensor emptyFloats(at::IntArrayRef sizes)
{
    return at::empty(sizes, at::kFloat);
}

/// Answers in the order in which the projection behind an attention reads them, token by token with all heads: (B,N,G,H,Dv).
struct TokenMajorAnswer {
    at::Tensor values;

    TokenMajorAnswer() = default;
    TokenMajorAnswer(at::Tensor memory)
        : values(std::move(memory))
    {}

    /// Rows n·G + g of head h of sample b, from query `first` on.
    kernels::OutputRows rows(std::int64_t b, std::int64_t h, std::int64_t first) const
    {
        return {values.mutable_data_ptr<float>() + b * values.stride(0) + first * values.stride(1) + h * values.stride(3), values.stride(2)};
    }
    /// (B,H,N,Dv), or (B,H,N,G,Dv) where G > 1; no copy.
    at::Tensor byHead() const
    {
        return values.size(2) == 1 ? values.squeeze(2).transpose(1, 2) : values.permute({0, 3, 1, 2, 4});
    }
};

/// Calls work(task, thread) for each task, by as many threads as pay at `cost` multiply-adds a task.
template <typename Work>
void forEachTask(std::int64_t tasks, double cost, const Work& work)
{
    constexpr double worthAThread = 2e6;  // multiply-adds: some 30 µs, about what waking a thread takes
    const auto grain = static_cast<std::int64_t>(std::max(worthAThread / std::max(cost, 1.0), 1.0));
    at::parallel_for(0, tasks, grain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task)
            work(task, at::get_thread_num());
    });
}

}  // namespace attnscope

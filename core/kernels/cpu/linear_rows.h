// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Words of depth that are multiplied at a time: so much of a panel stays in the first-level cache while all rows pass.
constexpr std::int64_t depthBlock = 96;

/// ½ x (1 + erf(x/√2)), erf to 1.5e-7 (Abramowitz and Stegun, 1964, 7.1.26): ½ (x + |x|) − ½ |x| (1 − erf(|x|/√2)).
ATTNSCOPE_INLINE Floats gelu(Floats x)
{
    const Floats size = larger(x, splat(0.0f) - x);
    const Floats t = splat(1.0f) / fma(splat(0.3275911f * 0.70710678118654752f), size, splat(1.0f));
    Floats p = splat(1.061405429f);
    p = fma(p, t, splat(-1.453152027f));
    p = fma(p, t, splat(1.421413741f));
    p = fma(p, t, splat(-0.284496736f));
    p = fma(p, t, splat(0.254829592f));
    const Floats rest = p * t * powerOfTwo(splat(-0.5f * log2e) * x * x);  // 1 − erf
    return splat(0.5f) * fma(splat(0.0f) - size, rest, x + size);
}

/// out = bias + addend, where they are given.
inline void beginRows(const LinearRows& task, std::int64_t at, std::int64_t columns)
{
    for (std::int64_t n = 0; n < task.rows; ++n) {
        float* const out = task.out.data + n * task.out.stride + (at - task.columnBegin);
        for (std::int64_t c = 0; c < columns; c += lanes) {
            Floats x = load(task.bias + at + c);
            if (task.addend.data != nullptr)
                x = x + load(task.addend.data + n * task.addend.stride + (at - task.columnBegin) + c);
            store(out + c, x);
        }
    }
}

inline void geluRows(const LinearRows& task, std::int64_t at, std::int64_t columns)
{
    for (std::int64_t n = 0; n < task.rows; ++n) {
        float* const out = task.out.data + n * task.out.stride + (at - task.columnBegin);
        for (std::int64_t c = 0; c < columns; c += lanes)
            store(out + c, gelu(load(out + c)));
    }
}

template <typename Step>
void linearRows(const LinearRows& task)
{
    for (std::int64_t at = task.columnBegin; at < task.columnEnd; at += panelWidth) {
        const std::int64_t columns = least(panelWidth, task.weight.out - at);
        const float* const panel = task.weight.panels + at * task.weight.words;
        if (!task.add)
            beginRows(task, at, columns);
        for (std::int64_t d = task.depthBegin; d < task.depthEnd; d += depthBlock)
            multiply<Into::Add, Step>({task.x.data + (d - task.depthBegin), task.x.stride, 1}, {panel + d * columns, columns},
                                      {task.out.data + (at - task.columnBegin), task.out.stride}, task.rows, columns,
                                      least(depthBlock, task.depthEnd - d));
        if (task.gelu)
            geluRows(task, at, columns);
    }
}

/// Rows less their mean over their deviation, times weight plus bias (Ba et al., 2016).
inline void normRows(const NormRows& task)
{
    const float share = 1.0f / static_cast<float>(task.width);
    for (std::int64_t n = 0; n < task.rows; ++n) {
        const float* const x = task.x.data + n * task.x.stride;
        float* const out = task.out.data + n * task.out.stride;
        Floats sum = splat(0);
        for (std::int64_t d = 0; d < task.width; d += lanes)
            sum = sum + load(x + d);
        const Floats mean = splat(total(sum) * share);
        Floats squares = splat(0);
        for (std::int64_t d = 0; d < task.width; d += lanes) {
            const Floats off = load(x + d) - mean;
            squares = fma(off, off, squares);
        }
        const Floats scale = splat(1.0f / __builtin_sqrtf(total(squares) * share + task.eps));
        for (std::int64_t d = 0; d < task.width; d += lanes)
            store(out + d, fma((load(x + d) - mean) * scale, load(task.weight + d), load(task.bias + d)));
    }
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA

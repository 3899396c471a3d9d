// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/bfloat16.h"
#include "core/kernels/cpu/cpu_kernels.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Turns as many pairs as a vector has lanes: their first and second members, or neighbours in two vectors. Format: Whole or
/// PackedBfloat16.
template <typename Format, bool half>
ATTNSCOPE_INLINE void rotatePairs(float* one, float* two, Floats cosine, Floats sine)
{
    const Floats a = Format::from(one, 0), b = Format::from(two, 0);
    if constexpr (half) {
        Format::to(one, 0, a * cosine - b * sine);
        Format::to(two, 0, b * cosine + a * sine);
    } else {
        Floats sign;
        for (int i = 0; i < lanes; ++i)
            sign[i] = i % 2 == 0 ? -1.0f : 1.0f;
        Format::to(one, 0, a * lowTwice(cosine) + swapped(a) * (lowTwice(sine) * sign));
        Format::to(two, 0, b * highTwice(cosine) + swapped(b) * (highTwice(sine) * sign));
    }
}

/// The same for the last pairs of a head, fewer than a vector has lanes.
template <typename Format, bool half>
void rotateLast(float* one, float* two, const float* cosine, const float* sine, std::int64_t pairs)
{
    constexpr std::int64_t words = lanes / Format::packed;
    float numbers[2 * words] = {}, angles[2 * lanes] = {};
    const std::size_t bytes = static_cast<std::size_t>(pairs) * sizeof(float), part = bytes / static_cast<std::size_t>(Format::packed);
    std::memcpy(angles, cosine, bytes);
    std::memcpy(angles + lanes, sine, bytes);
    std::memcpy(numbers, one, half ? part : 2 * part);
    if constexpr (half)
        std::memcpy(numbers + words, two, part);
    rotatePairs<Format, half>(numbers, numbers + words, load(angles), load(angles + lanes));
    std::memcpy(one, numbers, half ? part : 2 * part);
    if constexpr (half)
        std::memcpy(two, numbers + words, part);
}

template <typename Format, bool half>
void rotateHead(float* head, const float* cosine, const float* sine, std::int64_t pairs)
{
    // Between the two vectors, and from one such pair of vectors to the next, in words.
    const std::int64_t apart = (half ? pairs : lanes) / Format::packed, step = (half ? lanes : 2 * lanes) / Format::packed;
    std::int64_t i = 0;
    for (; i + lanes <= pairs; i += lanes, head += step)
        rotatePairs<Format, half>(head, head + apart, load(cosine + i), load(sine + i));
    if (i < pairs)
        rotateLast<Format, half>(head, head + apart, cosine + i, sine + i, pairs - i);
}

template <typename Format>
void rotateRows(const RotateRows& task)
{
    const std::int64_t pairs = task.width / 2, words = task.width / Format::packed;
    for (std::int64_t n = 0; n < task.rows; ++n)
        for (std::int64_t h = 0; h < task.heads; ++h) {
            float* const head = task.x.data + n * task.x.stride + h * words;
            const std::int64_t table = h % task.tables * task.tableStride;
            const float* const cosine = task.cosine.data + n * task.cosine.stride + table;
            const float* const sine = task.sine.data + n * task.sine.stride + table;
            task.half ? rotateHead<Format, true>(head, cosine, sine, pairs) : rotateHead<Format, false>(head, cosine, sine, pairs);
        }
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA

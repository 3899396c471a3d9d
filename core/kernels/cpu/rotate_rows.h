#pragma once

#include "core/kernels/cpu/bfloat16.h"
#include "core/kernels/cpu/cpu_kernels.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Turns as many pairs as a vector has lanes: neighbours in two vectors, or the first members in one and the second ones in the other.
/// Format: Whole or PackedBfloat16.
template <typename Format, bool interleaved>
ATTNSCOPE_INLINE void rotateVectors(float* one, float* two, Floats cosine, Floats sine)
{
    const Floats a = Format::from(one, 0), b = Format::from(two, 0);
    if constexpr (interleaved) {
        Floats sign;
        for (int i = 0; i < lanes; ++i)
            sign[i] = i % 2 == 0 ? -1.0f : 1.0f;
        Format::to(one, 0, a * lowTwice(cosine) + swapped(a) * (lowTwice(sine) * sign));
        Format::to(two, 0, b * highTwice(cosine) + swapped(b) * (highTwice(sine) * sign));
    } else {
        Format::to(one, 0, a * cosine - b * sine);
        Format::to(two, 0, b * cosine + a * sine);
    }
}

/// The same for the last pairs of a head, fewer than a vector has lanes.
template <typename Format, bool interleaved>
void rotateLast(float* one, float* two, const float* cosine, const float* sine, int64_t count)
{
    constexpr int64_t each = lanes / Format::packed;
    float channels[2 * each] = {}, angles[2 * lanes] = {};
    const size_t bytes = size_t(count) * sizeof(float);
    const size_t first = (interleaved ? 2 : 1) * bytes / size_t(Format::packed);
    std::memcpy(angles, cosine, bytes);
    std::memcpy(angles + lanes, sine, bytes);
    std::memcpy(channels, one, first);
    if constexpr (!interleaved)
        std::memcpy(channels + each, two, first);
    rotateVectors<Format, interleaved>(channels, channels + each, load(angles), load(angles + lanes));
    std::memcpy(one, channels, first);
    if constexpr (!interleaved)
        std::memcpy(two, channels + each, first);
}

template <typename Format, bool interleaved>
void rotateHead(float* head, const float* cosine, const float* sine, int64_t count)
{
    // From one of two vectors to the other, and to the next two.
    const int64_t other = (interleaved ? lanes : count) / Format::packed,
                  next = (interleaved ? 2 * lanes : lanes) / Format::packed;
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes, head += next)
        rotateVectors<Format, interleaved>(head, head + other, load(cosine + i), load(sine + i));
    if (i < count)
        rotateLast<Format, interleaved>(head, head + other, cosine + i, sine + i, count - i);
}

template <typename Format>
void rotateRows(const RotateRows& task)
{
    const int64_t angles = task.width / 2, stride = task.width / Format::packed;
    for (int64_t n = 0; n < task.rows; ++n)
        for (int64_t h = 0; h < task.heads; ++h) {
            float* const head = task.x.data + n * task.x.stride + h * stride;
            const int64_t table = h % task.tables * task.tableStride;
            const float* const cosine = task.cosine.data + n * task.cosine.stride + table;
            const float* const sine = task.sine.data + n * task.sine.stride + table;
            if (task.interleaved)
                rotateHead<Format, true>(head, cosine, sine, angles);
            else
                rotateHead<Format, false>(head, cosine, sine, angles);
        }
}

}

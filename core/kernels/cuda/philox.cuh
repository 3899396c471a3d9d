#pragma once

#include "core/kernels/cuda/device.cuh"

/// The random numbers of core/base/random.h on the device: uniform ones are bit-identical, normal ones equal up to the rounding of log and
/// cos.
namespace attnscope::kernels::cuda {

struct PhiloxBlock {
    uint32_t word[4];
};

/// Philox4x32-10 (Salmon et al., SC 2011): block `counter` of the stream of one sample.
ATTNSCOPE_DEVICE PhiloxBlock philox(uint64_t counter, uint64_t sample, uint64_t key)
{
    PhiloxBlock c{{uint32_t(counter), uint32_t(counter >> 32), uint32_t(sample), uint32_t(sample >> 32)}};
    auto k0 = uint32_t(key), k1 = uint32_t(key >> 32);
    ATTNSCOPE_UNROLL
    for (int round = 0; round < 10; ++round) {
        const uint64_t p0 = uint64_t{0xd2511f53u} * c.word[0], p1 = uint64_t{0xcd9e8d57u} * c.word[2];
        c = {{uint32_t(p1 >> 32) ^ c.word[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c.word[3] ^ k1,
              uint32_t(p0)}};
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

ATTNSCOPE_DEVICE uint64_t sampleOf(const Stream& stream, int64_t b)
{
    return stream.samples != nullptr ? stream.samples[b] : stream.first + uint64_t(b);
}

ATTNSCOPE_DEVICE float uniformOf(uint32_t bits)
{
    return (float(bits >> 9) + 0.5f) * 0x1p-23f;
}

/// Number `index` of the stream of sample b.
ATTNSCOPE_DEVICE float uniformAt(const Stream& stream, int64_t b, uint64_t index)
{
    return uniformOf(philox(index / 4, sampleOf(stream, b), stream.key).word[index % 4]);
}

/// Box–Muller, the cosine of the pair.
ATTNSCOPE_DEVICE float normalOf(float length, float angle)
{
    return sqrtf(-2.0f * logf(length)) * cosf(6.283185307179586f * angle);
}

/// Normal number `index` of sample b.
ATTNSCOPE_DEVICE float normalOne(const Stream& lengths, const Stream& angles, int64_t b, uint64_t index)
{
    return normalOf(uniformAt(lengths, b, index), uniformAt(angles, b, index));
}

/// Normal numbers 4·block … 4·block + 3 of sample b.
ATTNSCOPE_DEVICE void normalAt(const Stream& lengths, const Stream& angles, int64_t b, uint64_t block,
                               float (&out)[4])
{
    const PhiloxBlock length = philox(block, sampleOf(lengths, b), lengths.key),
                      angle = philox(block, sampleOf(angles, b), angles.key);
    ATTNSCOPE_UNROLL
    for (int i = 0; i < 4; ++i)
        out[i] = normalOf(uniformOf(length.word[i]), uniformOf(angle.word[i]));
}

}

#include "core/base/random.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)             \
    && !defined(__SANITIZE_THREAD__)
#define ATTNSCOPE_SIMD_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define ATTNSCOPE_SIMD_CLONES
#endif

namespace attnscope {

namespace {

/// SplitMix64's finaliser: spreads a small seed over all bits.
uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr int lanes = 16;

/// Counters block … block + 15 of one stream, in parallel so that the compiler vectorises them.
struct Lanes {
    std::array<uint32_t, lanes> word[4];
};

ATTNSCOPE_SIMD_CLONES
void philox(uint64_t block, uint64_t sample, uint64_t key, Lanes& c)
{
    for (int i = 0; i < lanes; ++i) {
        const uint64_t counter = block + uint64_t(i);
        c.word[0][i] = uint32_t(counter);
        c.word[1][i] = uint32_t(counter >> 32);
        c.word[2][i] = uint32_t(sample);
        c.word[3][i] = uint32_t(sample >> 32);
    }
    auto k0 = uint32_t(key);
    auto k1 = uint32_t(key >> 32);
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < lanes; ++i) {
            const uint64_t p0 = uint64_t{0xd2511f53u} * c.word[0][i];
            const uint64_t p1 = uint64_t{0xcd9e8d57u} * c.word[2][i];
            c.word[0][i] = uint32_t(p1 >> 32) ^ c.word[1][i] ^ k0;
            c.word[1][i] = uint32_t(p1);
            c.word[2][i] = uint32_t(p0 >> 32) ^ c.word[3][i] ^ k1;
            c.word[3][i] = uint32_t(p0);
        }
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
}

/// 23 bits plus ½: exact in float32, and never 0 or 1.
inline float toUniform(uint32_t bits)
{
    return (float(bits >> 9) + 0.5f) * 0x1p-23f;
}

}

uint64_t foldedKey(const StreamKey& key)
{
    return mix(mix(mix(key.seed) ^ key.layer) ^ key.purpose);
}

void fillUniform(const StreamKey& key, uint64_t first, std::span<float> out)
{
    fillUniform(foldedKey(key), key.sample, first, out);
}

void fillUniform(uint64_t folded, uint64_t sample, uint64_t first, std::span<float> out)
{
    Lanes numbers;
    size_t written = 0;
    while (written < out.size()) {
        const uint64_t index = first + written;
        philox(index / 4, sample, folded, numbers);
        const size_t skip = index % 4;
        const size_t count = std::min<size_t>(size_t{4} * lanes - skip, out.size() - written);
        for (size_t i = 0; i < count; ++i)
            out[written + i] = toUniform(numbers.word[(skip + i) % 4][(skip + i) / 4]);
        written += count;
    }
}

}

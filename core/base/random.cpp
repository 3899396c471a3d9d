// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"

#include <array>

namespace attnscope {

namespace {

using Counter = std::array<std::uint32_t, 4>;

/// SplitMix64's finaliser: spreads a small seed over all bits.
std::uint64_t mix(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

inline Counter philox(Counter c, std::uint32_t k0, std::uint32_t k1)
{
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = std::uint64_t{0xd2511f53u} * c[0];
        const std::uint64_t p1 = std::uint64_t{0xcd9e8d57u} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

inline float toUniform(std::uint32_t bits)
{
    return (static_cast<float>(bits >> 9) + 0.5f) * 0x1p-23f;
}

}  // namespace

void fillUniform(const StreamKey& key, std::uint64_t first, std::span<float> out)
{
    const std::uint64_t folded = mix(mix(mix(key.seed) ^ key.layer) ^ key.purpose);
    const auto k0 = static_cast<std::uint32_t>(folded);
    const auto k1 = static_cast<std::uint32_t>(folded >> 32);
    const auto sampleLow = static_cast<std::uint32_t>(key.sample);
    const auto sampleHigh = static_cast<std::uint32_t>(key.sample >> 32);
    std::size_t written = 0;
    while (written < out.size()) {
        const std::uint64_t index = first + written;
        const std::uint64_t block = index / 4;
        const Counter numbers = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), sampleLow,
                                        sampleHigh}, k0, k1);
        for (std::uint64_t lane = index % 4; lane < 4 && written < out.size(); ++lane)
            out[written++] = toUniform(numbers[lane]);
    }
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/random.h"

#include <array>
#include <cstdint>
#include <span>

namespace attnscope {

/// The random numbers of one sample in one epoch: they depend on (seed, epoch, sample) alone, not on threads or on what was drawn for
/// others. Numbers come one after another; a copy goes on from where the original was.
class SampleRandom {
public:
    /// epoch < 2^32.
    SampleRandom(std::uint64_t seed, std::uint64_t epoch, std::uint64_t sample);
    /// Any other stream, for what is not training.
    explicit SampleRandom(const StreamKey& key);

    /// Uniform in the open interval (0, 1), 46 bits.
    double uniform();
    /// Uniform in (low, high).
    double uniform(double low, double high);
    /// Standard normal (Box and Muller, 1958).
    double normal();
    /// 0 … n − 1, uniform; n from 1 to 2^30.
    std::int64_t below(std::int64_t n);
    /// True with this probability; 0 is never, 1 is always.
    bool chance(double probability);
    /// As many standard normals of float32 as `out` holds; quicker than one by one.
    void fillNormal(std::span<float> out);

private:
    float next();

    StreamKey m_key;
    std::uint64_t m_position = 0;  ///< of the next number in the stream
    std::array<float, 64> m_ahead{};
    std::size_t m_left = 0;  ///< numbers of `m_ahead` that are not used, at its end
};

}  // namespace attnscope

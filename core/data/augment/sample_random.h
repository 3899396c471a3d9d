#pragma once

#include "core/base/random.h"

#include <array>
#include <cstdint>
#include <span>

namespace attnscope {

/// The random numbers of one sample in one epoch: they depend only on (seed, epoch, sample), not on threads or on the random numbers of
/// others. Numbers are sequential; a copy continues from where the original was.
class SampleRandom {
public:
    /// epoch < 2^32.
    SampleRandom(uint64_t seed, uint64_t epoch, uint64_t sample);
    /// Any other stream, for purposes other than training.
    explicit SampleRandom(const StreamKey& key);

    /// Uniform in the open interval (0, 1), 46 bits.
    double uniform();
    /// Uniform in (low, high).
    double uniform(double low, double high);
    /// Standard normal (Box and Muller, 1958).
    double normal();
    /// 0 … n − 1, uniform; n from 1 to 2^30.
    int64_t below(int64_t n);
    /// True with this probability; 0 is never, 1 is always.
    bool chance(double probability);
    /// Fills `out` with float32 standard normals; faster than one by one.
    void fillNormal(std::span<float> out);

private:
    float next();

    StreamKey m_key;
    uint64_t m_position = 0;  ///< of the next number in the stream
    std::array<float, 64> m_ahead{};
    size_t m_left = 0;  ///< unused numbers at the end of `m_ahead`
};

}

#include "core/data/augment/sample_random.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace attnscope {

SampleRandom::SampleRandom(uint64_t seed, uint64_t epoch, uint64_t sample)
    : SampleRandom(StreamKey{seed, static_cast<uint32_t>(epoch), sample, streamPurpose("augment")})
{
    assert(epoch < uint64_t{1} << 32);
}

SampleRandom::SampleRandom(const StreamKey& key)
    : m_key(key)
{}

float SampleRandom::next()
{
    if (m_left == 0) {
        fillUniform(m_key, m_position, m_ahead);
        m_left = m_ahead.size();
    }
    ++m_position;
    return m_ahead[m_ahead.size() - m_left--];
}

double SampleRandom::uniform()
{
    // next() is (k + ½) / 2^23: two of them make one number with 46 bits.
    const double coarse = next(), fine = next();
    return (coarse - 0x1p-24) + fine * 0x1p-23;
}

double SampleRandom::uniform(double low, double high)
{
    return low + (high - low) * uniform();
}

double SampleRandom::normal()
{
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

int64_t SampleRandom::below(int64_t n)
{
    assert(n >= 1 && n <= int64_t{1} << 30);
    return int64_t(uniform() * double(n));
}

bool SampleRandom::chance(double probability)
{
    return uniform() < probability;
}

void SampleRandom::fillNormal(std::span<float> out)
{
    std::array<float, 256> numbers;
    for (size_t done = 0; done < out.size(); done += numbers.size()) {
        fillUniform(m_key, m_position, numbers);
        m_position += numbers.size();
        const size_t count = std::min(numbers.size(), out.size() - done);
        for (size_t i = 0; i < count; i += 2) {
            const float radius = std::sqrt(-2 * std::log(numbers[i]));
            const float angle = 2 * std::numbers::pi_v<float> * numbers[i + 1];
            out[done + i] = radius * std::cos(angle);
            if (i + 1 < count)
                out[done + i + 1] = radius * std::sin(angle);
        }
    }
    m_left = 0;
}

}

#include "core/data/augment/clip_jitter.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope {

namespace {

std::vector<int64_t> fromEachPart(int64_t frames, int64_t count, SampleRandom& random)
{
    const double step = double(frames - 1) / double(count);
    const auto bound = [&](int64_t i) { return int64_t(std::nearbyint(step * double(i))); };
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < count; ++i)
        numbers.push_back(bound(i) + random.below(bound(i + 1) - bound(i) + 1));
    return numbers;
}

}

std::vector<int64_t> jitteredClip(int64_t frames, double rate, const ClipSampling& sampling, SampleRandom& random)
{
    assert(frames >= 1);
    switch (sampling.rule) {
    case SamplingRule::Segments:
        return fromEachPart(frames, sampling.frames, random);
    case SamplingRule::Even:
        return std::vector<int64_t>(size_t(sampling.frames), random.below(frames));
    case SamplingRule::Published:
        break;
    }
    const double length = sampling.length(rate);
    const double start = random.uniform() * std::max(double(frames) - length, 0.0);
    return truncated(linspace(start, start + length - 1, sampling.frames), frames - 1);
}

}

#include "core/data/preprocess/clip_sampling.h"

#include "core/base/error.h"
#include "core/base/number.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope {

namespace {

constexpr double targetRate = 30;  // frames per second that `interval` refers to: the protocol's TARGET_FPS

/// The source frame at which a clip starts; a float.
double clipStart(double frames, double length, int64_t clip, int64_t clips)
{
    return std::max(frames - length, 0.0) * double(clip) / double(clips);
}

SampledClip inWindow(const ClipWindow& window, std::span<const int64_t> times,
                     const std::vector<int64_t>& positions)
{
    const auto count = int64_t(times.size());
    const auto begin = std::ranges::lower_bound(times, window.begin) - times.begin();
    const auto beyond = std::ranges::upper_bound(times, window.end) - times.begin();
    SampledClip clip;
    clip.first = std::min<int64_t>(begin, count - 1);
    clip.last = std::clamp<int64_t>(beyond, clip.first, count - 1);
    for (const int64_t position : positions)
        clip.frames.push_back(std::min(clip.first + position, clip.last));
    return clip;
}

std::vector<SampledClip> byCount(double rate, int64_t count, const ClipSampling& sampling)
{
    const double length = sampling.length(rate);
    std::vector<SampledClip> clips;
    for (int64_t i = 0; i < sampling.clips; ++i) {
        const double start = clipStart(double(count), length, i, sampling.clips);
        clips.push_back(
            {0, count - 1, truncated(linspace(start, start + length - 1, sampling.frames), count - 1)});
    }
    return clips;
}

std::vector<SampledClip> singleFrames(int64_t count, const ClipSampling& sampling)
{
    std::vector<SampledClip> clips;
    for (int64_t i = 0; i < sampling.clips; ++i) {
        const int64_t first = i * count / sampling.clips,
                      last = std::max(first, (i + 1) * count / sampling.clips - 1);
        clips.push_back(
            {first, last, std::vector<int64_t>(sampling.frames, (2 * i + 1) * count / (2 * sampling.clips))});
    }
    return clips;
}

}

ViewGrid ViewGrid::parse(const std::string& text)
{
    const auto [clips, crops] = parsePair<int64_t>(text, "xX").value_or(std::pair<int64_t, int64_t>());
    if (clips < 1 || clips > 1000 || (crops != 1 && crops != 3))
        throw UsageError("views", "`" + text + "` is not a grid of views",
                         "give clips and crops, as in 10x3: 1 to 1000 clips, and 1 crop (the centre) or 3");
    return {clips, crops};
}

std::string ViewGrid::name() const
{
    return std::to_string(clips) + "x" + std::to_string(crops);
}

double ClipSampling::length(double rate) const
{
    return double(interval * frames) / targetRate * rate;
}

std::vector<float> linspace(double start, double end, int64_t count)
{
    const auto from = float(start), to = float(end);
    if (count == 1)
        return {from};
    const float step = (to - from) / float(count - 1);
    std::vector<float> values;
    values.reserve(size_t(count));
    // Fused multiply-add, as in LibTorch's builds: rounded twice, frame 105 of a golden would be 106.
    for (int64_t i = 0; i < count; ++i)
        values.push_back(i < count / 2 ? std::fma(step, float(i), from)
                                       : std::fma(-step, float(count - i - 1), to));
    return values;
}

std::vector<ClipWindow> clipWindows(const VideoTiming& timing, const ClipSampling& sampling)
{
    assert(timing.hasUnit());
    const double length = sampling.length(timing.rate), unit = timing.unit();
    const int64_t shift = sampling.startTime == StartTime::Subtract ? timing.start : 0;
    std::vector<ClipWindow> windows;
    for (int64_t i = 0; i < sampling.clips; ++i) {
        const double start = clipStart(double(*timing.frames), length, i, sampling.clips);
        windows.push_back({shift + int64_t(start * unit), shift + int64_t((start + length - 1) * unit)});
    }
    return windows;
}

std::vector<int64_t> truncated(const std::vector<float>& positions, int64_t last)
{
    std::vector<int64_t> frames;
    frames.reserve(positions.size());
    for (const float position : positions)
        frames.push_back(int64_t(std::clamp(position, 0.0f, float(last))));
    return frames;
}

bool breaksOff(const VideoTiming& timing, int64_t count, int64_t last)
{
    if (!timing.hasUnit() || count >= *timing.frames)
        return false;
    return double(last - timing.start) + timing.unit() < 0.95 * double(*timing.duration);
}

VideoTiming part(const VideoTiming& timing, int64_t count, int64_t first, int64_t end)
{
    VideoTiming restricted = timing;
    restricted.start = first;
    restricted.frames = count;
    restricted.duration = std::max<int64_t>(end - first, 1);
    return restricted;
}

std::vector<int64_t> evenTimes(const VideoTiming& timing)
{
    assert(timing.hasUnit());
    std::vector<int64_t> times;
    times.reserve(size_t(*timing.frames));
    for (int64_t i = 0; i < *timing.frames; ++i)
        times.push_back(timing.start + std::llround(double(i) * timing.unit()));
    return times;
}

std::vector<SampledClip> sampleClips(const VideoTiming& timing, std::span<const int64_t> times,
                                     const ClipSampling& sampling)
{
    assert(!times.empty());
    const auto count = int64_t(times.size());
    switch (sampling.rule) {
    case SamplingRule::Segments:
        return {{0, count - 1, segmentFrames(count, sampling.frames)}};
    case SamplingRule::Even:
        return singleFrames(count, sampling);
    case SamplingRule::Published:
        break;
    }
    if (!timing.hasUnit())
        return byCount(timing.rate, count, sampling);
    // Positions in a window's list of frames, before clamping to its last.
    constexpr int64_t unbounded = 1 << 30;
    const auto positions = truncated(linspace(0, sampling.length(timing.rate) - 1, sampling.frames), unbounded);
    std::vector<SampledClip> clips;
    for (const ClipWindow& window : clipWindows(timing, sampling))
        clips.push_back(inWindow(window, times, positions));
    return clips;
}

std::vector<int64_t> segmentFrames(int64_t count, int64_t frames)
{
    const double step = double(count - 1) / double(frames);
    const auto rounded = [&](int64_t i) { return int64_t(std::nearbyint(step * double(i))); };
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < frames; ++i)
        indices.push_back((rounded(i) + rounded(i + 1)) / 2);
    return indices;
}

}

#include "core/media/views/view_plan.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr int64_t maxFrames = 10'000'000;  // more than a day at 100 per second: the largest plausible count
constexpr int64_t maxUnits = int64_t{1} << 53;
constexpr double timeRounding = 0.002;  // seconds: Matroska rounds times to milliseconds

/// Impossible metadata of a container are ignored.
VideoTiming timingOf(const VideoInfo& info)
{
    VideoTiming timing;
    timing.rate = info.averageRate.numerator > 0 ? info.averageRate.value() : 30;
    timing.secondsPerUnit = info.timeBase.value();
    timing.start = info.start;
    const bool frames = info.frames && *info.frames > 0 && *info.frames <= maxFrames;
    const bool duration = info.duration && *info.duration > 0 && *info.duration < maxUnits;
    if (frames && duration && std::abs(info.start) < maxUnits) {
        timing.frames = info.frames;
        timing.duration = info.duration;
    }
    return timing;
}

ClipSampling samplingOf(const ViewRequest& request)
{
    ClipSampling sampling;
    sampling.frames = std::max<int64_t>(request.frames, 1);
    sampling.interval = request.interval;
    sampling.clips = request.grid.clips;
    sampling.rule = request.frames == 0 ? SamplingRule::Even : request.rule;
    sampling.startTime = request.startTime;
    if (sampling.rule == SamplingRule::Segments && sampling.clips != 1)
        throw UsageError("views", "the sampling ssv2 has one clip, over the whole video", "give 1x3 or 1x1");
    return sampling;
}

/// As if all frames were of the same length.
std::vector<int64_t> singleFrameTimes(const VideoTiming& timing, const ClipSampling& sampling)
{
    const std::vector<int64_t> even = evenTimes(timing);
    std::vector<int64_t> times;
    for (const SampledClip& clip : sampleClips(timing, even, sampling))
        times.push_back(even[size_t(clip.frames.front())]);
    return times;
}

std::string ordinal(int64_t number)
{
    constexpr std::array<const char*, 4> suffixes{"th", "st", "nd", "rd"};
    const int64_t last = number % 10, teens = number % 100 / 10;
    return std::to_string(number) + (last > 3 || teens == 1 ? "th" : suffixes[size_t(last)]);
}

}

ViewPlanner::ViewPlanner(const VideoInfo& info, const ViewRequest& request, std::string path)
    : m_path(std::move(path))
    , m_timing(timingOf(info))
    , m_length(info.duration ? info.duration : info.tagged)
    , m_sampling(samplingOf(request))
    , m_begin(std::numeric_limits<int64_t>::min())
    , m_end(std::numeric_limits<int64_t>::max())
{
    if (info.averageRate.numerator <= 0)
        m_notes.emplace_back("it does not specify its frame rate; 30 frames per second are assumed");
    if (request.start > 0 || request.duration)
        restrictTo(info, request);
    if (m_timing.hasUnit())
        expectFrames();
    else if (m_sampling.rule == SamplingRule::Published && m_sampling.clips > 1)
        m_notes.emplace_back("its container does not state how many frames it has: clips are located by counting "
                             "frames, and may begin a frame "
                             "earlier than in MP4");
}

void ViewPlanner::refusePart(const std::string& problem) const
{
    throw FileError(m_path, problem, "give an earlier --start, or a longer --duration");
}

/// Samples the part as if it were a video of its own.
void ViewPlanner::restrictTo(const VideoInfo& info, const ViewRequest& request)
{
    const auto units = [&](double seconds) {
        return std::llround(std::min(seconds / m_timing.secondsPerUnit, 0x1p53));
    };
    m_begin = info.start + units(request.start);
    if (request.duration)
        m_end = m_begin + std::max<int64_t>(units(*request.duration), 1);
    m_sampling.startTime = StartTime::Subtract;
    if (!m_timing.hasUnit())
        return;
    const double unit = m_timing.unit();
    const int64_t end = std::min(m_end, info.start + *m_timing.duration);
    if (end <= m_begin)
        refusePart(fmt::format("it is {:.2f} s long, but the requested part starts at {:.2f} s",
                               double(*m_timing.duration) * m_timing.secondsPerUnit, request.start));
    const int64_t frames = std::max<int64_t>(std::llround(double(end - m_begin) / unit), 1);
    m_timing = part(m_timing, frames, m_begin, end);
}

/// Published clips are located by their times; so are single frames, which would otherwise require counting a whole film.
bool ViewPlanner::byTime() const
{
    return m_timing.hasUnit() && m_sampling.rule != SamplingRule::Segments;
}

void ViewPlanner::expectFrames()
{
    m_expected.clear();
    for (const SampledClip& clip : sampleClips(m_timing, evenTimes(m_timing), m_sampling))
        m_expected.insert(clip.frames.begin(), clip.frames.end());
    if (m_sampling.rule == SamplingRule::Even)
        m_frameTimes = singleFrameTimes(m_timing, m_sampling);
}

/// Where the container does not state how many there are.
VideoTiming ViewPlanner::timingOfFrames(const std::vector<FrameMark>& marks) const
{
    const auto count = std::ssize(marks);
    const int64_t begin = std::max(m_begin, marks.front().time), last = marks.back().time;
    const int64_t frame = count > 1 ? std::llround(double(last - begin) / double(count - 1)) : 1;
    const int64_t end = m_timing.start + std::min(m_length.value_or(0), maxUnits);
    const bool whole = end > last && double(last + frame - begin) > 0.95 * double(std::min(m_end, end) - begin);
    return part(m_timing, count, begin, std::min(m_end, whole ? end : last + frame));
}

bool ViewPlanner::expects(const FrameMark& mark) const
{
    return m_timing.hasUnit()
           && m_expected.contains(std::llround(double(mark.time - m_timing.start) / m_timing.unit()));
}

std::vector<Stretch> ViewPlanner::stretches() const
{
    const int64_t last = m_end - 1;
    std::vector<Stretch> stretches;
    if (!byTime())
        return {{m_begin, last}};
    for (const int64_t time : m_frameTimes)
        stretches.push_back({time, time});
    if (m_sampling.rule == SamplingRule::Published)
        for (const ClipWindow& window : clipWindows(m_timing, m_sampling))
            stretches.push_back({std::min(window.begin, last), std::min(window.end, last)});
    return stretches;
}

bool ViewPlanner::shorten(const std::vector<FrameMark>& marks)
{
    if (marks.empty())
        return false;
    const int64_t count = marks.back().number - marks.front().number + 1;
    if (!breaksOff(m_timing, count, marks.back().time))
        return false;
    const int64_t end = marks.back().time + std::max<int64_t>(std::llround(m_timing.unit()), 1);
    m_timing = part(m_timing, count, marks.front().time, end);
    m_sampling.startTime = StartTime::Subtract;
    expectFrames();
    return true;
}

std::vector<std::vector<FrameMark>> ViewPlanner::clips(const std::vector<FrameMark>& marks) const
{
    if (marks.empty())
        refusePart("the requested part contains no frames");
    std::vector<int64_t> times;
    for (const FrameMark& mark : marks)
        times.push_back(mark.time);
    std::vector<std::vector<FrameMark>> clips;
    std::vector<int64_t> frameTimes = m_frameTimes;
    int64_t slack = 0;
    if (m_sampling.rule == SamplingRule::Even && !m_timing.hasUnit()) {
        const VideoTiming timing = timingOfFrames(marks);
        frameTimes = singleFrameTimes(timing, m_sampling);
        slack = int64_t(std::min(timeRounding / timing.secondsPerUnit, timing.unit() / 4));
    }
    for (const int64_t time : frameTimes) {
        const auto shown = std::ranges::upper_bound(times, time + slack) - times.begin();
        clips.push_back({marks[size_t(std::max<ptrdiff_t>(shown - 1, 0))]});
    }
    if (!clips.empty())
        return clips;
    for (const SampledClip& sampled : sampleClips(m_timing, times, m_sampling)) {
        std::vector<FrameMark>& clip = clips.emplace_back();
        for (const int64_t frame : sampled.frames)
            clip.push_back(marks[size_t(frame)]);
    }
    return clips;
}

double ViewPlanner::seconds() const
{
    return m_timing.duration ? double(*m_timing.duration) * m_timing.secondsPerUnit : 0;
}

std::string ViewPlanner::name() const
{
    const int64_t clips = m_sampling.clips, frames = m_sampling.frames;
    if (m_sampling.rule == SamplingRule::Even)
        return clips == 1 ? "1 frame, the middle one" : fmt::format("{} single frames, evenly spread", clips);
    if (m_sampling.rule == SamplingRule::Segments)
        return fmt::format("ssv2: {} over the whole video", counted(frames, "frame"));
    return fmt::format("published protocol: {} of {}, every {} of 30 a second{}", counted(clips, "clip"),
                       counted(frames, "frame"), ordinal(m_sampling.interval),
                       m_sampling.startTime == StartTime::Official ? ", start time ignored" : "");
}

}

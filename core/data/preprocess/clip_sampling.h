#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Which frames of a video a network uses. Pure arithmetic on the container's metadata and the frames' times.
namespace attnscope {

/// The number of clips in time and crops in space of a video: "10x3".
struct ViewGrid {
    int64_t clips = 10;
    int64_t crops = 3;  ///< 1: centre only; 3: left, centre, right (top, centre, bottom)

    int64_t count() const { return clips * crops; }
    /// "10x3", with 1 to 1000 clips and 1 or 3 crops. Throws UsageError.
    static ViewGrid parse(const std::string& text);
    std::string name() const;
    friend bool operator==(const ViewGrid&, const ViewGrid&) = default;
};

enum class SamplingRule {
    Published,  ///< Motionformer's and SlowFast's test protocol: clips of a fixed length, starting at equal distances
    Segments,  ///< Something-Something's: one clip over the whole video, the middle of each of its T equal parts
    Even,      ///< single frames for image networks: the middle of each of as many equal parts as there are clips
};

/// The authors' loader compares times relative to the stream's start time with windows that start at 0.
enum class StartTime {
    Subtract,  ///< windows start with the video
    Official,  ///< as in their loader: a video with a late start time is cut short
};

/// The container's metadata of a stream, before a frame is decoded.
struct VideoTiming {
    double rate = 30;                 ///< average frames per second
    double secondsPerUnit = 1;        ///< of times, `duration` and `start`
    std::optional<int64_t> frames;    ///< empty: unknown (webm, mkv)
    std::optional<int64_t> duration;  ///< of the stream; empty: unknown
    int64_t start = 0;                ///< time of the first frame

    /// If true, frames are located by their times, as for mp4 and avi. Otherwise they are counted, as for webm and mkv.
    bool hasUnit() const { return frames && *frames > 0 && duration && *duration > 0; }
    double unit() const { return double(*duration) / double(*frames); }
};

struct ClipSampling {
    int64_t frames = 16;   ///< per clip
    int64_t interval = 4;  ///< distance between frames of the clip, in frames of a video at 30 per second
    int64_t clips = 10;
    SamplingRule rule = SamplingRule::Published;
    StartTime startTime = StartTime::Subtract;

    /// L = interval · frames / 30 · rate: the number of source frames that a clip spans. A float, as in the authors' code.
    double length(double rate) const;
};

/// float32 numbers from `start` to `end`, rounded like torch.linspace: from both ends towards the middle.
std::vector<float> linspace(double start, double end, int64_t count);

/// The frames from which a clip is sampled if the container states frames and duration: those with begin ≤ time, up to and including the
/// first with time > end. In units of the stream's times.
struct ClipWindow {
    int64_t begin = 0, end = 0;
};

/// One window per clip: L source frames from max(n − L, 0) · i / clips on (of 10 clips divided by 10, not by 9: the last does not reach the
/// end). Asserts timing.hasUnit().
std::vector<ClipWindow> clipWindows(const VideoTiming& timing, const ClipSampling& sampling);

/// The positions as whole frames from 0 to `last`: clamped as floats and then truncated; the order matters for the last frame.
std::vector<int64_t> truncated(const std::vector<float>& positions, int64_t last);

/// The window of a clip and the frames taken, as positions in a list of frames; if the list is too short, its last frame is repeated.
struct SampledClip {
    int64_t first = 0, last = 0;
    std::vector<int64_t> frames;
};

/// The clips of a video whose frames have these increasing times. Published rule: by windows if timing.hasUnit(), in which case frames
/// outside all windows may be omitted; else linspace(start, start + L − 1, T) over all frames. A window after the last frame consists of
/// that frame. Asserts that there are times.
std::vector<SampledClip> sampleClips(const VideoTiming& timing, std::span<const int64_t> times,
                                     const ClipSampling& sampling);

/// Whether a video that ends with its `count`-th frame, at `last`, is shorter than the container states: by more than a twentieth of its
/// duration, with frames missing. It is then sampled over what there is, with the timing of `part`.
bool breaksOff(const VideoTiming& timing, int64_t count, int64_t last);

/// The timing of a part of a video: `count` frames from `first` to before `end`, in units of the stream's times.
VideoTiming part(const VideoTiming& timing, int64_t count, int64_t first, int64_t end);

/// The times of frames at a constant rate. Asserts timing.hasUnit().
std::vector<int64_t> evenTimes(const VideoTiming& timing);

/// Something-Something's rule: T of n frames; with s = (n − 1) / T, frame i is (round(s·i) + round(s·(i + 1))) / 2, halves to even.
std::vector<int64_t> segmentFrames(int64_t count, int64_t frames);

}

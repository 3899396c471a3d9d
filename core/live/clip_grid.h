#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attnscope {

/// When clips are due while a source plays. Time is divided into ticks of `period` seconds, each with the frame shown at that time; a clip
/// consists of the frames of `frames` consecutive ticks, and a clip is due at every `every`-th tick.
struct ClipGrid {
    int64_t frames = 1;
    double period = 1.0 / 30;
    double rate = 30;  ///< frames per second of the source
    int64_t every = 1;
    double slack = 1e-5;  ///< maximum rounding error of the source's times, in seconds

    /// The last tick at which the frame of `seconds` is shown.
    int64_t tickOf(double seconds) const { return int64_t(std::floor((seconds + 1 / rate - slack) / period)); }
    /// The first one; above `tickOf` if the frame is shown between two.
    int64_t firstTickOf(double seconds) const
    {
        return std::max<int64_t>(0, int64_t(std::ceil((seconds - slack) / period)));
    }
    /// The last tick at or before `tick` that ends a due clip; −1 if there is none yet.
    int64_t lastDue(int64_t tick) const
    {
        const int64_t since = tick - (frames - 1);
        return since < 0 ? -1 : tick - since % every;
    }
    /// Seconds from the first frame of a clip to its last.
    double span() const { return double(frames - 1) * period; }
    /// Seconds before a time that may be needed to predict it.
    double reach() const { return double(frames - 1 + every) * period + 1 / rate; }
    friend bool operator==(const ClipGrid&, const ClipGrid&) = default;
};

/// The clips that a model needs.
struct ClipWish {
    int64_t frames = 1;    ///< 1: single images
    int64_t interval = 1;  ///< distance between frames of a clip, in frames of a video at 30 per second
    /// Clips: distance between due clips in frames of a clip; images: in frames of the source.
    int64_t every = 1;

    /// For a source of `rate` frames per second. A clip has the same duration at any rate; its frames are sampled as in the published
    /// protocol: T of the L = interval · T / 30 · rate frames at linspace(0, L − 1, T). `unit`: seconds per unit of its times.
    ClipGrid grid(double rate, double unit = 1e-5) const
    {
        const double slack = std::min(0.51 * unit + 1e-9, 0.05 / rate);
        if (frames == 1)
            return {1, double(every) / rate, rate, 1, slack};
        const auto count = double(frames);
        const double length = double(interval) * count / 30 * rate;
        const double period = length > 2 ? (length - 1) / (count - 1) / rate : double(interval) / 30;
        return {frames, period, rate, std::max<int64_t>(1, every), slack};
    }
    friend bool operator==(const ClipWish&, const ClipWish&) = default;
};

}

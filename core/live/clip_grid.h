// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attnscope {

/// When clips are due while a source plays. Time is divided into ticks of `period` seconds, and each has the frame that is shown
/// then; a clip is the frames of `frames` ticks in a row; every `every`-th tick ends one that is due.
struct ClipGrid {
    std::int64_t frames = 1;
    double period = 1.0 / 30;
    double rate = 30;  ///< frames of the source a second
    std::int64_t every = 1;
    double slack = 1e-5;  ///< seconds by which the source rounds its times, at most

    /// The last tick for which the frame of `seconds` is shown.
    std::int64_t tickOf(double seconds) const
    {
        return static_cast<std::int64_t>(std::floor((seconds + 1 / rate - slack) / period));
    }
    /// The first one; above `tickOf` where the frame is shown between two.
    std::int64_t firstTickOf(double seconds) const
    {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil((seconds - slack) / period)));
    }
    /// The last tick at or before `tick` that ends a clip which is due; −1 where there is none yet.
    std::int64_t lastDue(std::int64_t tick) const
    {
        const std::int64_t since = tick - (frames - 1);
        return since < 0 ? -1 : tick - since % every;
    }
    /// Seconds from the first frame of a clip to its last.
    double span() const { return static_cast<double>(frames - 1) * period; }
    /// Seconds before a moment that may be needed to answer for it.
    double reach() const { return static_cast<double>(frames - 1 + every) * period + 1 / rate; }
    friend bool operator==(const ClipGrid&, const ClipGrid&) = default;
};

/// How a model wants its clips.
struct ClipWish {
    std::int64_t frames = 1;    ///< 1: a picture at a time
    std::int64_t interval = 1;  ///< frames of a 30 a second video from one frame of a clip to the next
    std::int64_t every =
        1;  ///< clips: frames of a clip from one that is due to the next; pictures: frames of the source

    /// For a source of `rate` frames a second. A clip lasts as long at any rate; its frames lie as the published protocol samples
    /// them: T of the L = interval · T / 30 · rate frames at linspace(0, L − 1, T).
    /// `unit`: seconds of one unit of its times.
    ClipGrid grid(double rate, double unit = 1e-5) const
    {
        const double slack = std::min(0.51 * unit + 1e-9, 0.05 / rate);
        if (frames == 1)
            return {1, static_cast<double>(every) / rate, rate, 1, slack};
        const auto count = static_cast<double>(frames);
        const double length = static_cast<double>(interval) * count / 30 * rate;
        const double period = length > 2 ? (length - 1) / (count - 1) / rate : static_cast<double>(interval) / 30;
        return {frames, period, rate, std::max<std::int64_t>(1, every), slack};
    }
    friend bool operator==(const ClipWish&, const ClipWish&) = default;
};

}  // namespace attnscope

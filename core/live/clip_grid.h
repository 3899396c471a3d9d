// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attnscope {

/// When clips are due while a source plays. Time is divided into ticks of `period` seconds, and each has the frame nearest to its
/// beginning; a clip is the frames of `frames` ticks in a row; every `every`-th tick ends one that is due.
struct ClipGrid {
    std::int64_t frames = 1;
    double period = 1.0 / 30;
    double tolerance = 0.5
                       / 30;  ///< seconds by which a frame may come before the tick it belongs to: half a frame
    std::int64_t every = 1;

    std::int64_t tickOf(double seconds) const
    {
        return static_cast<std::int64_t>(std::floor((seconds + tolerance) / period));
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
    double reach() const { return static_cast<double>(frames - 1 + every) * period + tolerance; }
    friend bool operator==(const ClipGrid&, const ClipGrid&) = default;
};

/// How a model wants its clips.
struct ClipWish {
    std::int64_t frames = 1;    ///< 1: a picture at a time
    std::int64_t interval = 1;  ///< frames of a 30 a second video from one frame of a clip to the next
    std::int64_t every = 1;     ///< frames of the source from one clip to the next

    /// For a source of `rate` frames a second. As in the published protocol, a clip lasts as long at any rate.
    ClipGrid grid(double rate) const
    {
        ClipGrid grid;
        grid.frames = frames;
        const auto step = static_cast<double>(every) / rate;
        grid.period = frames > 1 ? static_cast<double>(interval) / 30 : step;
        grid.every = frames > 1 ? std::max<std::int64_t>(1, std::llround(step / grid.period)) : 1;
        grid.tolerance = 0.999 * std::min(0.5 / rate, grid.period / 2);
        return grid;
    }
    friend bool operator==(const ClipWish&, const ClipWish&) = default;
};

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/live/clip_grid.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace attnscope {

/// A moment at which a clip is due.
struct ClipRequest {
    std::uint64_t epoch = 0;
    std::int64_t tick = 0;
    /// The tick answered before it in the same stretch of playing: its answer held until this one. −1: there is none.
    std::int64_t after = -1;
};

struct ScheduleCounts {
    std::int64_t due = 0;  ///< clips, since the beginning
    std::int64_t predicted = 0;
    std::int64_t missed = 0;  ///< passed by while an earlier one was predicted

    /// Of the clips that were due and are not just being predicted.
    double fraction() const
    {
        return predicted + missed > 0 ? static_cast<double>(predicted) / static_cast<double>(predicted + missed)
                                      : 1;
    }
};

/// Which clip is predicted next: the newest that is due (the others are missed, the picture never waits), or each in turn, for
/// which playback waits. Between the one who shows frames and the one who predicts.
class ClipScheduler {
public:
    enum class Policy { Newest, Every };

    void setPolicy(Policy policy);
    Policy policy() const;
    /// Forgets what is due; counts stay.
    void setGrid(const ClipGrid& grid);
    void resetCounts();

    /// The picture shows this moment. Returns whether a clip became due. `shortClip`: LiveWindow::shortClip.
    bool show(std::uint64_t epoch, double seconds, std::int64_t shortClip = -1);
    /// Under Policy::Every: whether a frame may be shown, without making a clip due while one waits.
    bool mayShow(std::uint64_t epoch, double seconds) const;

    /// The clip to predict now, if one waits. It counts as missed unless `predicted` follows.
    std::optional<ClipRequest> take();
    void predicted(const ClipRequest& moment);
    /// It could not be predicted.
    void gaveUp(const ClipRequest& moment);
    /// Its prediction was interrupted: it waits again, unless a newer one does and only that counts.
    void interrupted(const ClipRequest& moment);

    bool waiting() const;
    ScheduleCounts counts() const;

private:
    struct Due {
        std::uint64_t epoch = 0;
        std::int64_t tick = 0;
    };

    mutable std::mutex m_mutex;
    Policy m_policy = Policy::Newest;
    ClipGrid m_grid;
    ScheduleCounts m_counts;
    std::deque<Due> m_due;
    bool m_underWay = false;
    std::uint64_t m_epoch = 0;    // of what is shown
    std::int64_t m_lastDue = -1;  // in that epoch
    Due m_lastPredicted{0, -1};
};

}  // namespace attnscope

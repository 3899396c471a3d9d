#pragma once

#include "core/live/clip_grid.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace attnscope {

/// The time at which a clip is due.
struct ClipRequest {
    uint64_t epoch = 0;
    int64_t tick = 0;
    /// The tick predicted before it in the same stretch of playback: its prediction held until this one. −1: there is none.
    int64_t after = -1;
};

struct ScheduleCounts {
    int64_t due = 0;  ///< clips, since the beginning
    int64_t predicted = 0;
    int64_t missed = 0;  ///< skipped while an earlier one was being predicted

    /// Fraction of the due clips that were predicted, excluding the one in progress.
    double fraction() const { return predicted + missed > 0 ? double(predicted) / double(predicted + missed) : 1; }
};

/// Chooses the clip to predict next: the newest that is due (the others are missed, playback never waits), or each in turn, for which
/// playback waits. Connects the threads that show frames and predict.
class ClipScheduler {
public:
    enum class Policy { Newest, Every };

    void setPolicy(Policy policy);
    Policy policy() const { return locked(m_policy); }
    /// Forgets what is due; counts are kept.
    void setGrid(const ClipGrid& grid);
    void resetCounts();

    /// The frame at this time is shown. Returns whether a clip became due. `shortClip`: LiveWindow::shortClip.
    bool show(uint64_t epoch, double seconds, int64_t shortClip = -1);
    /// With Policy::Every: whether a frame may be shown without making a clip due while another is waiting.
    bool mayShow(uint64_t epoch, double seconds) const;

    /// The clip to predict now, if one is waiting. It counts as missed unless `predicted` follows.
    std::optional<ClipRequest> take();
    void predicted(const ClipRequest& request);
    /// The clip could not be predicted.
    void gaveUp(const ClipRequest& request);
    /// Its prediction was interrupted: it waits again, unless a newer one does and only the newest counts.
    void interrupted(const ClipRequest& request);

    bool waiting() const;
    ScheduleCounts counts() const { return locked(m_counts); }

private:
    template <typename Value>
    Value locked(const Value& value) const
    {
        const std::scoped_lock lock(m_mutex);
        return value;
    }

    struct Due {
        uint64_t epoch = 0;
        int64_t tick = 0;
    };

    mutable std::mutex m_mutex;
    Policy m_policy = Policy::Newest;
    ClipGrid m_grid;
    ScheduleCounts m_counts;
    std::deque<Due> m_due;
    bool m_underWay = false;
    uint64_t m_epoch = 0;    // of the shown frame
    int64_t m_lastDue = -1;  // in that epoch
    Due m_lastPredicted{0, -1};
};

}

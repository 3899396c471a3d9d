#pragma once

#include "core/live/live_prediction.h"
#include "core/live/tick_set.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// A stretch in which a backend's first class did not change.
struct TimelineSegment {
    int64_t begin = 0, end = 0;  ///< ticks; `end` is exclusive
    int64_t index = 0;           ///< the class
    double probability = 0;      ///< mean over the predicted clips
    int64_t clips = 0;
};

/// The predictions of one backend over time. Equal neighbours form one segment, so that memory grows with changes and not with time; beyond
/// `limit` segments the earliest are dropped.
class BackendTimeline {
public:
    BackendTimeline() = default;
    explicit BackendTimeline(size_t limit)
        : m_limit(limit)
    {}

    /// The prediction for the clip that ends at `tick`, which stands for `length` ticks. Replaces what was there; the same clip predicted
    /// again, after a jump or in a loop, counts once.
    void record(int64_t tick, int64_t length, int64_t index, double probability);
    /// Until the next prediction arrived, the one at `from` was on screen: fills the gap between them.
    void hold(int64_t from, int64_t to);

    std::optional<TimelineSegment> at(int64_t tick) const;
    std::vector<TimelineSegment> segments() const;
    size_t size() const { return m_segments.size(); }

private:
    using Segments = std::map<int64_t, TimelineSegment>;  // by begin
    void clear(int64_t begin, int64_t end);
    void insert(const TimelineSegment& segment);

    TickSet m_predicted;  // the clips that the segments' means are of
    size_t m_limit = 20'000;
    Segments m_segments;
};

/// A stretch in which a backend's first class differs from the reference's.
struct Disagreement {
    int64_t begin = 0, end = 0;  ///< ticks
    int64_t index = 0, referenceIndex = 0;
};

/// Where both have a prediction and the predictions differ, earliest first.
std::vector<Disagreement> disagreements(const BackendTimeline& reference, const BackendTimeline& other);

struct TimelineName {
    std::string attention;  ///< canonical: identifies a row's predictions
    std::string backend;
};

/// The predictions of all backends, and how often each agreed. Plain data for one thread.
class Timeline {
public:
    struct Row {
        std::string attention, backend;
        BackendTimeline predictions;
        /// Different ones predicted together with the reference, and with its class.
        int64_t clips = 0, agreed = 0;
        TickSet counted = {}, agreeing = {};  ///< which these are
    };

    /// Sets the participating backends and the reference. Those that stay keep their predictions; agreement restarts with another
    /// reference.
    void setRows(const std::vector<TimelineName>& rows, size_t reference);
    void clear();
    /// `length`: ticks from one due clip to the next.
    void add(const LivePrediction& prediction, int64_t length);

    const std::vector<Row>& rows() const { return m_rows; }
    size_t reference() const { return m_reference; }
    bool isEmpty() const;
    /// Of a predicted class; empty if it has no name, or the name must not be shown.
    std::string label(int64_t index) const;
    /// Ticks at which any backend starts to disagree with the reference, without duplicates, ascending.
    std::vector<int64_t> disagreementTicks() const;

private:
    std::vector<Row> m_rows;
    size_t m_reference = 0;
    std::map<int64_t, std::string> m_labels;
};

}

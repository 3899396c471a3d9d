// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/live/live_prediction.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// A stretch in which a backend's first class stayed the same.
struct TimelineSegment {
    std::int64_t begin = 0, end = 0;  ///< ticks; `end` is not in it
    std::int64_t index = 0;           ///< the class
    double probability = 0;           ///< mean over the clips that were predicted
    std::int64_t clips = 0;
};

/// The answers of one backend over time. Equal neighbours are one segment, so that memory grows with changes and not with hours;
/// beyond `limit` segments the earliest go.
class BackendTimeline {
public:
    BackendTimeline() = default;
    explicit BackendTimeline(std::size_t limit)
        : m_limit(limit)
    {}

    /// The answer for the clip that ends at `tick`, which stands for `length` ticks. Replaces what was there.
    void outcome(std::int64_t tick, std::int64_t length, std::int64_t index, double probability);
    /// Until the next answer came, the one at `from` was on screen: fills what is empty between them.
    void hold(std::int64_t from, std::int64_t to);

    std::optional<TimelineSegment> at(std::int64_t tick) const;
    std::vector<TimelineSegment> segments() const;
    std::size_t size() const { return m_segments.size(); }

private:
    using Segments = std::map<std::int64_t, TimelineSegment>;  // by begin
    void clear(std::int64_t begin, std::int64_t end);
    void insert(const TimelineSegment& segment);

    std::size_t m_limit = 20'000;
    Segments m_segments;
};

/// A stretch in which a backend's first class is another than the reference's.
struct Disagreement {
    std::int64_t begin = 0, end = 0;  ///< ticks
    std::int64_t index = 0, referenceIndex = 0;
};

/// Where both have an answer and the answers differ, earliest first.
std::vector<Disagreement> disagreements(const BackendTimeline& reference, const BackendTimeline& other);

struct TimelineName {
    std::string attention;  ///< canonical: by it a row keeps its answers
    std::string backend;
};

/// What all backends answered, and how often each agreed. Plain data of one thread.
class Timeline {
public:
    struct Row {
        std::string attention, backend;
        BackendTimeline predictions;
        std::int64_t clips = 0, agreed = 0;  ///< predicted beside the reference, and with its class
    };

    /// The backends that take part and which of them is the reference. Those that stay keep their answers; agreement begins anew
    /// with another reference.
    void setRows(const std::vector<TimelineName>& rows, std::size_t reference);
    void clear();
    /// `length`: ticks from one due clip to the next.
    void add(const LivePrediction& prediction, std::int64_t length);

    const std::vector<Row>& rows() const { return m_rows; }
    std::size_t reference() const { return m_reference; }
    bool isEmpty() const;
    /// Of a class that was answered; empty where it has no name, or may not be told.
    std::string label(std::int64_t index) const;
    /// Ticks at which any backend begins to disagree with the reference, each once, ascending.
    std::vector<std::int64_t> disagreementTicks() const;

private:
    std::vector<Row> m_rows;
    std::size_t m_reference = 0;
    std::map<std::int64_t, std::string> m_labels;
};

}  // namespace attnscope

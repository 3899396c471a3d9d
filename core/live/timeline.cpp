#include "core/live/timeline.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace attnscope {

void BackendTimeline::record(int64_t tick, int64_t length, int64_t index, double probability)
{
    const std::optional<TimelineSegment> known = m_predicted.contains(tick) ? at(tick) : std::nullopt;
    if (known && known->index == index && known->end >= tick + length)
        return;  // the same clip again: it would weigh twice in the mean
    clear(tick, tick + length);
    m_predicted.set(tick, true);
    insert({tick, tick + length, index, probability, 1});
    while (m_segments.size() > m_limit) {
        m_predicted.clear(m_segments.begin()->second.begin, m_segments.begin()->second.end);
        m_segments.erase(m_segments.begin());
    }
}

void BackendTimeline::hold(int64_t from, int64_t to)
{
    const std::optional<TimelineSegment> held = at(from);
    if (!held)
        return;
    int64_t begin = held->end;
    while (begin < to) {
        if (const auto known = at(begin)) {
            begin = known->end;
            continue;
        }
        const auto next = m_segments.upper_bound(begin);
        const int64_t end = next == m_segments.end() ? to : std::min(to, next->first);
        insert({begin, end, held->index, held->probability, 0});
        begin = end;
    }
}

std::optional<TimelineSegment> BackendTimeline::at(int64_t tick) const
{
    auto next = m_segments.upper_bound(tick);
    if (next == m_segments.begin())
        return std::nullopt;
    const TimelineSegment& segment = std::prev(next)->second;
    return tick < segment.end ? std::optional(segment) : std::nullopt;
}

std::vector<TimelineSegment> BackendTimeline::segments() const
{
    std::vector<TimelineSegment> all;
    all.reserve(m_segments.size());
    for (const auto& [begin, segment] : m_segments)
        all.push_back(segment);
    return all;
}

/// Makes room: removes what is within [begin, end), and cuts what overlaps it.
void BackendTimeline::clear(int64_t begin, int64_t end)
{
    auto first = m_segments.upper_bound(begin);
    if (first != m_segments.begin() && std::prev(first)->second.end > begin)
        --first;
    std::vector<TimelineSegment> rest;
    while (first != m_segments.end() && first->first < end) {
        TimelineSegment left = first->second, right = first->second;
        first = m_segments.erase(first);
        left.end = begin;
        right.begin = end;
        for (TimelineSegment part : {left, right}) {
            if (part.begin >= part.end)
                continue;
            part.clips = m_predicted.count(part.begin, part.end);
            rest.push_back(part);
        }
    }
    m_predicted.clear(begin, end);
    for (const TimelineSegment& part : rest)
        m_segments.emplace(part.begin, part);
}

/// Inserts into an empty place; merges neighbours of the same class.
void BackendTimeline::insert(const TimelineSegment& segment)
{
    auto here = m_segments.emplace(segment.begin, segment).first;
    const auto join = [this](Segments::iterator left, Segments::iterator right) {
        TimelineSegment& into = left->second;
        const TimelineSegment& from = right->second;
        if (into.end != from.begin || into.index != from.index)
            return false;
        const int64_t clips = into.clips + from.clips;
        if (clips > 0)
            into.probability = (into.probability * double(into.clips) + from.probability * double(from.clips))
                               / double(clips);
        into.clips = clips;
        into.end = from.end;
        m_segments.erase(right);
        return true;
    };
    if (here != m_segments.begin() && join(std::prev(here), here))
        here = std::prev(m_segments.upper_bound(segment.begin));
    if (std::next(here) != m_segments.end())
        join(here, std::next(here));
}

std::vector<Disagreement> disagreements(const BackendTimeline& reference, const BackendTimeline& other)
{
    const auto left = reference.segments(), right = other.segments();
    std::vector<Disagreement> found;
    for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        const int64_t begin = std::max(left[i].begin, right[j].begin), end = std::min(left[i].end, right[j].end);
        if (begin < end && left[i].index != right[j].index) {
            if (!found.empty() && found.back().end == begin && found.back().index == right[j].index)
                found.back().end = end;
            else
                found.push_back({begin, end, right[j].index, left[i].index});
        }
        left[i].end < right[j].end ? ++i : ++j;
    }
    return found;
}

void Timeline::setRows(const std::vector<TimelineName>& rows, size_t reference)
{
    const std::string before = m_reference < m_rows.size() ? m_rows[m_reference].attention : std::string();
    const bool sameReference = reference < rows.size() && rows[reference].attention == before;
    std::vector<Row> next;
    for (const TimelineName& name : rows) {
        const auto known = std::ranges::find_if(m_rows,
                                                [&](const Row& row) { return row.attention == name.attention; });
        Row row = known != m_rows.end() ? std::move(*known) : Row();
        row.attention = name.attention;
        row.backend = name.backend;
        if (!sameReference) {
            row.clips = row.agreed = 0;
            row.counted = row.agreeing = {};
        }
        next.push_back(std::move(row));
    }
    m_rows = std::move(next);
    m_reference = reference;
}

void Timeline::clear()
{
    for (Row& row : m_rows)
        row = Row{row.attention, row.backend, BackendTimeline()};
    m_labels.clear();
}

void Timeline::add(const LivePrediction& prediction, int64_t length)
{
    for (const BackendPrediction& outcome : prediction.predictions) {
        const auto row = std::ranges::find_if(m_rows,
                                              [&](const Row& r) { return r.attention == outcome.attention; });
        if (row == m_rows.end() || outcome.top.empty())
            continue;
        const Prediction& first = outcome.top.front();
        if (prediction.request.after >= 0)
            row->predictions.hold(prediction.request.after, prediction.request.tick);
        row->predictions.record(prediction.request.tick, length, first.index, first.probability);
        for (const Prediction& named : outcome.top)
            if (!named.label.empty())
                m_labels.try_emplace(named.index, named.label);
        if (prediction.reference < prediction.predictions.size()
            && !prediction.predictions[prediction.reference].top.empty()) {
            const int64_t tick = prediction.request.tick;
            row->clips += row->counted.contains(tick) ? 0 : 1;
            row->agreed += (outcome.agrees ? 1 : 0) - (row->agreeing.contains(tick) ? 1 : 0);
            row->counted.set(tick, true);
            row->agreeing.set(tick, outcome.agrees);
        }
    }
}

bool Timeline::isEmpty() const
{
    return std::ranges::all_of(m_rows, [](const Row& row) { return row.predictions.size() == 0; });
}

std::string Timeline::label(int64_t index) const
{
    const auto found = m_labels.find(index);
    return found == m_labels.end() ? std::string() : found->second;
}

std::vector<int64_t> Timeline::disagreementTicks() const
{
    std::set<int64_t> ticks;
    if (m_reference >= m_rows.size())
        return {};
    for (size_t i = 0; i < m_rows.size(); ++i)
        if (i != m_reference)
            for (const Disagreement& each : disagreements(m_rows[m_reference].predictions, m_rows[i].predictions))
                ticks.insert(each.begin);
    return {ticks.begin(), ticks.end()};
}

}

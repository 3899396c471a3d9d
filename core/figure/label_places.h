#pragma once

#include "core/figure/marks.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace attnscope {

struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;

    bool meets(const Rect& other) const
    {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    bool holds(const Rect& other) const
    {
        return left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom;
    }
};

/// Where names of marks stand: next to their mark, or near it, where neither a mark nor another name is. In pixels.
class LabelPlaces {
public:
    explicit LabelPlaces(const Rect& area)
        : m_area(area)
    {}

    /// A mark, and what its intervals along x and y span; to be said of all marks before a name is placed.
    void addMark(MarkPoint at, const Rect& intervals)
    {
        m_taken.push_back({at.x - reach, at.y - reach, at.x + reach, at.y + reach});
        if (intervals.right - intervals.left > 2)
            m_taken.push_back({intervals.left - 1, at.y - 4, intervals.right + 1, at.y + 4});
        if (intervals.bottom - intervals.top > 2)
            m_taken.push_back({at.x - 4, intervals.top - 1, at.x + 4, intervals.bottom + 1});
    }

    /// For the name of such a mark. Empty where there is no room.
    std::optional<Rect> place(MarkPoint mark, const Rect& intervals, double width, double height)
    {
        std::vector<MarkPoint> places{
            {std::max(intervals.right, mark.x + reach) + reach, mark.y - height / 2},
            {std::min(intervals.left, mark.x - reach) - reach - width, mark.y - height / 2}};
        for (int step = 0; step < 7; ++step)
            for (const double x : {mark.x + reach, mark.x - width / 2, mark.x - reach - width}) {
                const double rise = reach + 12 * step;
                places.push_back({x, mark.y - rise - height});
                places.push_back({x, mark.y + rise});
            }
        for (const MarkPoint& at : places)
            if (const Rect rect{at.x, at.y, at.x + width, at.y + height};
                m_area.holds(rect)
                && std::ranges::none_of(m_taken, [&](const Rect& other) { return other.meets(rect); })) {
                m_taken.push_back(rect);
                return rect;
            }
        return {};
    }

private:
    static constexpr double reach = 8;  // of a mark

    Rect m_area;
    std::vector<Rect> m_taken;
};

}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/label_places.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double reach = 8;  // of a mark

}  // namespace

void LabelPlaces::addMark(QPointF at, const QRectF& intervals)
{
    m_taken.emplace_back(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach);
    if (intervals.width() > 2)
        m_taken.emplace_back(intervals.left() - 1, at.y() - 4, intervals.width() + 2, 8);
    if (intervals.height() > 2)
        m_taken.emplace_back(at.x() - 4, intervals.top() - 1, 8, intervals.height() + 2);
}

bool LabelPlaces::isFree(const QRectF& rect) const
{
    return m_area.adjusted(0, -6, 12, 0).contains(rect)
           && std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& other) { return other.intersects(rect); });
}

std::optional<QRectF> LabelPlaces::place(QPointF mark, const QRectF& intervals, QSizeF name)
{
    std::vector<QPointF> places{{std::max(intervals.right(), mark.x() + reach) + reach, mark.y() - name.height() / 2},
                                {std::min(intervals.left(), mark.x() - reach) - reach - name.width(), mark.y() - name.height() / 2}};
    for (double rise = reach; rise <= 80; rise += 12)
        for (const double x : {mark.x() + reach, mark.x() - name.width() / 2, mark.x() - reach - name.width()}) {
            places.emplace_back(x, mark.y() - rise - name.height());
            places.emplace_back(x, mark.y() + rise);
        }
    for (const QPointF& place : places)
        if (const QRectF rect(place, name); isFree(rect)) {
            m_taken.push_back(rect);
            return rect;
        }
    return {};
}

}  // namespace attnscope::ui

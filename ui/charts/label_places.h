// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <optional>
#include <vector>

namespace attnscope::ui {

/// Where names of marks stand: beside their mark, or near it, where neither a mark nor another name is. In pixels.
class LabelPlaces {
public:
    explicit LabelPlaces(const QRectF& area) : m_area(area) {}

    /// A mark, and what its intervals along x and y span; to be said of all marks before a name is placed.
    void addMark(QPointF at, const QRectF& intervals);
    /// Of such a mark. Empty where there is no room.
    std::optional<QRectF> place(QPointF mark, const QRectF& intervals, QSizeF name);

private:
    bool isFree(const QRectF& rect) const;

    QRectF m_area;
    std::vector<QRectF> m_taken;
};

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>

namespace attnscope::ui {

/// One run as a mark, or as a bar of its y.
struct RunPoint {
    qint64 key = 0;
    QString name, backend;
    double x = 0, xLow = 0, xHigh = 0;  ///< low and high equal: no interval
    double y = 0, yLow = 0, yHigh = 0;
    QString xText, yText;
    QString remark = {};     ///< a further line for who asks: "n = 50"
    bool published = false;  ///< a hollow mark, never on the front
};

struct RunAxis {
    QString title;
    QString unit = {};       ///< where the title does not say it
    QString intervals = {};  ///< what bars of intervals mean: "bars p5–p95"
    enum class Better { Low, High } better = Better::Low;
    bool fromZero = false;

    /// What stands at the axis.
    QString caption() const
    {
        const QString quantity = unit.isEmpty() ? title : QStringLiteral("%1, %2").arg(title, unit);
        return intervals.isEmpty() ? quantity : QStringLiteral("%1 (%2)").arg(quantity, intervals);
    }
};

}  // namespace attnscope::ui

#pragma once

#include "core/figure/chart.h"

#include <QList>

namespace attnscope::ui::test {

/// Keys of the points on a chart's fronts, by x.
inline QList<qint64> frontKeys(const Chart& chart)
{
    QList<qint64> keys;
    for (const ChartPoint& point : chart.front)
        keys << point.key;
    for (const std::vector<ChartPoint>& front : chart.moreFronts)
        for (const ChartPoint& point : front)
            keys << point.key;
    return keys;
}

}

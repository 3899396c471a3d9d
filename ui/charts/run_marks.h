#pragma once

#include "core/figure/chart.h"

#include <QString>

#include <optional>
#include <vector>

class QWidget;

namespace attnscope::ui {

class CaptionCombo;
class ChartView;

/// A figure of a run that an axis can show.
struct ChartValue {
    double mid = 0, low = 0, high = 0;  ///< in the axis' unit; low and high equal: no interval
    QString text;                       ///< as cells show it
};

/// One run as a mark, or as a bar of its y.
struct RunMark {
    qint64 key = 0;
    QString name, backend;
    std::optional<ChartValue> x;  ///< empty for bars alone
    ChartValue y;
    QString remark = {};      ///< a further line for who asks: "n = 50"
    bool published = false;   ///< a hollow mark, never on the front
    QString conditions = {};  ///< marks are on one front only where these are equal
};

struct RunAxis {
    QString title;
    QString unit = {};       ///< where the title does not say it
    QString intervals = {};  ///< what bars of intervals mean: "bars p5–p95"
    Better better = Better::Lower;
    bool fromZero = false;
};

/// Runs under two quantities, with the fronts of those that nothing under the same conditions beats in both. Quantities are not negative.
Chart runChart(const std::vector<RunMark>& marks, const RunAxis& x, const RunAxis& y);

/// The choice of a chart's scale: it follows the box.
CaptionCombo* newScaleBox(ChartView& chart, QWidget* parent);

}

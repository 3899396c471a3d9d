#pragma once

#include "ui/charts/run_marks.h"

#include "core/run/run_record.h"
#include "ui/style/qt_text.h"

#include <QString>

#include <optional>
#include <vector>

namespace attnscope::ui {

/// A figure that a chart can put on an axis.
struct Quantity {
    QString name;       ///< "attention time"
    QString unit;       ///< of the axis: "ms", "MiB" or empty
    QString intervals;  ///< what bars mean: "bars p5–p95", "bars ± one standard deviation", or empty
    bool fromZero = false;
    std::optional<ChartValue> (*of)(const RunRecord& record) = nullptr;

    QString title() const { return unit.isEmpty() ? name : name + u", "_s + unit; }
};

const std::vector<Quantity>& quantities();
inline constexpr int relativeErrorQuantity = 0;
inline constexpr int attentionTimeQuantity = 1;
inline constexpr int featureQuantity = 7;

}

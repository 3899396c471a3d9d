#pragma once

#include "ui/charts/run_marks.h"
#include "ui/workspace/result_row.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace attnscope::ui {

/// A figure of a stored run that can be drawn.
struct RunQuantity {
    QString name, title;  ///< "top-1", "top-1, %"
    bool highIsBetter = false;
    std::function<std::optional<ChartValue>(const ResultRow&)> of;
    /// What somebody else printed for the same.
    std::function<std::optional<double>(const ResultRow&)> published = {};
};

/// Accuracy, time, memory and error, in that order.
const std::vector<RunQuantity>& runQuantities();

}

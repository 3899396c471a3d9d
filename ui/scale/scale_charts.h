#pragma once

#include "core/figure/chart.h"
#include "core/lab/lab_charts.h"

#include <QStringList>

namespace attnscope::ui {

enum class ScaleQuantity { Time, Memory };
using ScaleMeasure = ScaleValues;

/// The encoder, and next to it the attention alone, under one scale so that its fraction of the whole is seen; `hidden` series do not count.
struct ChartPair {
    Chart left, right;
};
ChartPair lengthCharts(const ScaleReport& report, ScaleQuantity quantity, ScaleMeasure measure,
                       const QStringList& hidden);

using ErrorFraction = ErrorPart;
/// The mean squared error, and next to it a part of it.
ChartPair errorCharts(const ApproximateReport& report, ErrorFraction fraction);

}

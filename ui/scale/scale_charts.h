#pragma once

#include "core/figure/chart.h"
#include "core/lab/lab_charts.h"

#include <QStringList>

#include <vector>

namespace attnscope::ui {

enum class ScaleQuantity { Time, Memory };
using ScaleMeasure = ScaleValues;

/// The encoder, and the attention alone, under one scale so that its fraction of the whole is seen; `hidden` series do not count.
std::vector<Chart> lengthCharts(const ScaleReport& report, ScaleQuantity quantity, ScaleMeasure measure,
                                const QStringList& hidden);

}

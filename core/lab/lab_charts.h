// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"
#include "core/lab/approximate.h"
#include "core/lab/inspect_layers.h"
#include "core/lab/plan.h"
#include "core/lab/scale.h"

/// What the instruments found, as figures: window, SVG and CSV show the same. Free of torch.
namespace attnscope {

/// Error against samples, both in logs, with the spread over seeds as bands; flat attentions and yardsticks as lines.
Chart errorChart(const ApproximateReport& report);

enum class ScaleFigure { Time, AttentionTime, Memory };
enum class ScaleValues {
    Absolute,
    OverSoftmax,  ///< over explicit softmax, with the published ratios as hollow marks
};
Chart scaleChart(const ScaleReport& report, ScaleFigure figure, ScaleValues values);

/// Latency against error of every plan that was measured, and the predicted front.
Chart planChart(const PlanReport& report);

enum class InspectionMode { TeacherForced, EndToEnd };
/// Relative error, layers × heads.
HeatMap errorMap(const InspectedAttention& attention, InspectionMode mode);

}  // namespace attnscope

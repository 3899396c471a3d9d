// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"
#include "core/lab/approximate.h"
#include "core/lab/inspect_layers.h"
#include "core/lab/plan.h"
#include "core/lab/scale.h"

/// What the instruments found, as figures: window, SVG and CSV show the same. Free of torch.
namespace attnscope {

enum class ErrorPart {
    Total,        ///< mean squared error, with the spread over seeds as bands and the yardsticks as lines
    BiasSquared,  ///< what more seeds do not average out
    Variance,     ///< with the line of 1/samples through each curve's first point
};
/// Error against samples, both in logs; flat attentions are lines.
Chart errorChart(const ApproximateReport& report, ErrorPart part = ErrorPart::Total);

enum class ScaleFigure { Time, AttentionTime, Memory, AttentionMemory };
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

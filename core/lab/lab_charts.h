// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"
#include "core/lab/approximate.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"

/// What the instruments found, as figures: window, SVG and CSV show the same. Free of torch.
namespace attnscope {

enum class ErrorPart {
    Total,        ///< mean squared error, with the spread over seeds as bands and the yardsticks as lines
    BiasSquared,  ///< what more seeds do not average out
    Variance,     ///< with the line of 1/samples through each curve's first point
};
/// Error against samples, both in logs; flat attentions are lines.
Chart errorChart(const ApproximateReport& report, ErrorPart part = ErrorPart::Total);

enum class ScaleMetric { Time, AttentionTime, Memory, AttentionMemory };
enum class ScaleValues {
    Absolute,
    OverSoftmax,  ///< over explicit softmax, with the published ratios as hollow marks
};
Chart scaleChart(const ScaleReport& report, ScaleMetric figure, ScaleValues values);

/// Latency against error of every plan that was measured, and the predicted front.
Chart planChart(const PlanReport& report);

enum class InspectionMode { TeacherForced, EndToEnd };
enum class HeadMetric { Relative, MeanSquared, BiasSquared, Variance, ClassToken, Patches };

/// "relative error", "variance over seeds" …
std::string nameOf(HeadMetric figure);
/// That figure of one head, or of a layer's mean; NaN where the network or the attention has none.
double valueOf(const HeadErrors& errors, HeadMetric figure);
/// What a layer is called: "layer 6", or its own name.
std::string titleOf(const InspectedLayer& layer);

/// Layers × heads.
HeatMap errorMap(const InspectedAttention& attention, InspectionMode mode, HeadMetric figure = HeadMetric::Relative);
/// Drift of every block's output, end to end, of all attentions.
Chart driftChart(const LayerInspection& inspection);

enum class WeightsShown { Exact, Implied, Difference };
/// The weights that one query gives to the keys of frame `frame`, where they lie.
HeatMap weightMap(const LayerMaps& maps, std::size_t head, WeightsShown shown, std::int64_t frame = 0);

}  // namespace attnscope

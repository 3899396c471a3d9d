#pragma once

#include "core/figure/chart.h"
#include "core/lab/approximate.h"
#include "core/lab/kernel_plot.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"

#include <string>

/// The results of the instruments as charts: window, SVG and CSV show the same. Independent of torch.
namespace attnscope {

enum class ErrorPart {
    Total,        ///< mean squared error, with the spread over seeds as bands and the baselines as lines
    BiasSquared,  ///< the part that more seeds do not average out
    Variance,     ///< with the line of 1/samples through each curve's first point
};
/// Error versus samples, both on log scales; flat attentions are lines.
Chart errorChart(const ApproximateReport& report, ErrorPart part = ErrorPart::Total);

/// Relative standard deviation √(variance / S) / exp(x·y) of every feature map against the norm, for three angles between x and y of equal
/// length, and that of each measured head at its queries' mean norm. Maps that are exact at an angle have no line there.
Chart kernelChart(const KernelReport& report);

/// exp(x·y) and its estimates against the norm, for one angle between x and y of equal length. Bands: one standard deviation of the mean of
/// S features; series are named as in `kernelChart`. What is beyond 100 times the range of the exact values is left out.
Chart kernelEstimateChart(const KernelReport& report, KernelAngle angle);
/// "positive, y = x": the series of feature map `features` (an index of kernelFeatures) at an angle, in both charts.
std::string kernelSeries(size_t features, KernelAngle angle);
/// The key of its look.
std::string kernelLook(size_t features, KernelAngle angle);

enum class ScaleMetric { Time, AttentionTime, Memory, AttentionMemory };
enum class ScaleValues {
    Absolute,
    OverSoftmax,  ///< relative to explicit softmax, with the published ratios as hollow marks
};
Chart scaleChart(const ScaleReport& report, ScaleMetric figure, ScaleValues values);

/// Latency versus error of every measured plan, and the predicted front.
Chart planChart(const PlanReport& report);

enum class InspectionMode { TeacherForced, EndToEnd };
enum class HeadMetric { Relative, MeanSquared, BiasSquared, Variance, ClassToken, Patches };

/// "relative error", "variance over seeds" …
std::string nameOf(HeadMetric figure);
/// That metric of one head, or of a layer's mean; NaN if the network or the attention has none.
double valueOf(const HeadErrors& errors, HeadMetric figure);
/// The name of a layer: "layer 6", or its own.
std::string titleOf(const InspectedLayer& layer);

/// Layers × heads.
HeatMap errorMap(const InspectedAttention& attention, InspectionMode mode,
                 HeadMetric figure = HeadMetric::Relative);
/// Drift of every block's output, end to end, for all attentions.
Chart driftChart(const LayerInspection& inspection);

}

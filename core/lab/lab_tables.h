#pragma once

#include "core/figure/table.h"
#include "core/lab/approximate.h"
#include "core/lab/kernel_plot.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"

#include <span>
#include <string>

/// The results of the instruments as tables: terminal, window and files show the same. Independent of torch.
namespace attnscope {

/// What it comes to, in a sentence: "performer 16 beats fused softmax from N ≈ 1 200, lara 16 from 1 400". Where a difference is not clear,
/// nobody wins.
Text verdict(const ScaleReport& report);
Text verdict(const ApproximateReport& report);
Text verdict(const PlanReport& report);
Text verdict(const KernelReport& report);
/// How it was measured.
Text conditions(const ScaleReport& report);
Text conditions(const ApproximateReport& report);
Text conditions(const PlanReport& report);
Text conditions(const KernelReport& report);

/// "softmax, explicit", "softmax, fused", "lara 16": the two ways of softmax are rows of their own.
Text scaleTitle(const std::string& attention);
/// At the longest length of both, the slow passes of `row` are faster than the fast ones of `other`, or `other` was stopped before.
bool clearlyFaster(const ScaleRow& row, const ScaleRow& other);
/// Exponents and break-even lengths, a row for each attention.
Table scaleExponents(const ScaleReport& report);
/// Every point: whole encoder and attention alone, absolute and over explicit softmax, next to what was published.
Table scalePoints(const ScaleReport& report);

/// "lara" of a curve over samples: its own number of them says nothing there.
Text curveTitle(const Curve& curve);
/// Every point of the curves, and the baselines.
Table approximationErrors(const ApproximateReport& report);

/// "lara 16", "2× lara 16, 4× softmax".
Text planTitle(const PlanReport& report, const Plan& plan);
/// Over all labelled inputs, with its interval.
Cell planAccuracy(const Plan& plan, int64_t labelled);
/// Plans that were measured, the fastest first; the key is the plan's specification.
Table measuredPlans(const PlanReport& report);
/// The layers of a plan: what each one has, what that costs and how far off it is.
Table planLayers(const PlanReport& report, const Plan& plan);

/// exp(x·y), and the estimate of every feature map with its standard deviation: the points of a curve, or a file's own pairs.
Table kernelValues(std::span<const KernelPoint> points);
/// What the norms of the measured heads mean for every feature map.
Table kernelHeads(const KernelReport& report);

}

#pragma once

#include "core/lab/approximate.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"
#include "ui/widgets/cell_table.h"

namespace attnscope::ui {

/// Exponents and break-even lengths, a row for each attention.
TableContents growthTable(const ScaleReport& report);
/// Every point: whole encoder and attention alone, absolute and over explicit softmax, next to what was published.
TableContents pointsTable(const ScaleReport& report);
/// Every point of the curves, and the baselines.
TableContents errorTable(const ApproximateReport& report);
/// "lara 16 in every layer", "2× lara 16, 4× softmax".
QString planTitle(const PlanReport& report, const Plan& plan);
/// Plans that were measured, the fastest first; the key is the plan's specification.
TableContents plansTable(const PlanReport& report);
/// The layers of a plan: what each one has, what that costs and how far off it is.
TableContents layersTable(const PlanReport& report, const Plan& plan);

}

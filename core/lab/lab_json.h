#pragma once

#include "core/base/json.h"
#include "core/lab/approximate.h"
#include "core/lab/kernel_plot.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/layers/logit_terms.h"
#include "core/lab/plan/plan.h"
#include "core/lab/scale/scale.h"

/// What the instruments found, as JSON with stable keys (docs/laboratory.md).
namespace attnscope {

Json toJson(const ApproximateReport& report);
Json toJson(const KernelReport& report);
Json toJson(const ScaleReport& report);
Json toJson(const LayerInspection& inspection);
Json toJson(const LogitTermReport& report);
Json toJson(const PlanReport& report);

}

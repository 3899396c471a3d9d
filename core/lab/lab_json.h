// SPDX-License-Identifier: Apache-2.0
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

[[nodiscard]] Json toJson(const ApproximateReport& report);
[[nodiscard]] Json toJson(const KernelReport& report);
[[nodiscard]] Json toJson(const ScaleReport& report);
[[nodiscard]] Json toJson(const LayerInspection& inspection);
[[nodiscard]] Json toJson(const LogitTermReport& report);
[[nodiscard]] Json toJson(const PlanReport& report);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/plan/plan.h"

#include <vector>

/// Independent of torch.
namespace attnscope {

/// Whether two latencies differ significantly: not if their intervals from the 5th to the 95th percentile overlap.
bool toldApart(const Latency& a, const Latency& b);

/// Chooses among measured plans (with `latency`, `error` and `divergence`) that meet the budget: within a budget of time the most accurate,
/// else the fastest; among those not significantly slower than the fastest, the one that is best in terms of the budget. Null if there is
/// none.
const Plan* bestPlan(const std::vector<Plan>& plans, PlanBudget kind);

}  // namespace attnscope

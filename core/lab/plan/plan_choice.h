// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/plan/plan.h"

#include <vector>

/// Free of torch.
namespace attnscope {

/// Whether two times differ by more than they scatter: where their intervals from the 5th to the 95th percentile overlap, nobody is faster.
bool toldApart(const Latency& a, const Latency& b);

/// Of plans that were measured (`latency`, `error` and `divergence` are there) and that keep the budget: within one of time the nearest,
/// else the fastest; of those whose times cannot be told from the fastest one's, the one that keeps most of what the budget is about.
/// Null where there is none.
const Plan* bestPlan(const std::vector<Plan>& plans, PlanBudget kind);

}  // namespace attnscope

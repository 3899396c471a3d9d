// SPDX-License-Identifier: Apache-2.0
#include "core/lab/plan/plan_choice.h"

#include <algorithm>

namespace attnscope {

namespace {

bool isFaster(const Plan& a, const Plan& b)
{
    return a.latency->medianMs < b.latency->medianMs;
}

/// The quantity that the budget concerns; smaller is better.
double lossOf(const Plan& plan, PlanBudget kind)
{
    if (needsLabels(kind))
        return 1 - plan.accuracy.value_or(0);
    return kind == PlanBudget::Divergence ? *plan.divergence : *plan.error;
}

}  // namespace

bool toldApart(const Latency& a, const Latency& b)
{
    return a.p95Ms < b.p05Ms || b.p95Ms < a.p05Ms;
}

const Plan* bestPlan(const std::vector<Plan>& plans, PlanBudget kind)
{
    const auto fastest = std::min_element(plans.begin(), plans.end(), isFaster);
    const bool limitsTime = kind == PlanBudget::Latency || kind == PlanBudget::Speed;
    const Plan* best = nullptr;
    for (const Plan& plan : plans) {
        if (!limitsTime && toldApart(*plan.latency, *fastest->latency))
            continue;
        const double loss = lossOf(plan, kind);
        if (best == nullptr || loss < lossOf(*best, kind) || (loss == lossOf(*best, kind) && isFaster(plan, *best)))
            best = &plan;
    }
    return best;
}

}  // namespace attnscope

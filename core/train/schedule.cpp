// SPDX-License-Identifier: Apache-2.0
#include "core/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope {

double learningRateAt(const OptimizerPlan& plan, double epoch, double epochs)
{
    const double warmup = std::min(plan.warmupEpochs, epochs), first = plan.learningRate / 100;
    if (epoch < warmup)
        return first + (plan.learningRate - first) * epoch / warmup;
    const double done = epochs > warmup ? std::min((epoch - warmup) / (epochs - warmup), 1.0) : 1.0;
    return plan.finalRate + (plan.learningRate - plan.finalRate) * (1 + std::cos(std::numbers::pi * done)) / 2;
}

}  // namespace attnscope

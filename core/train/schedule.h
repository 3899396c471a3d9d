// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/training_plan.h"

namespace attnscope {

/// The learning rate after `epoch` epochs (possibly fractional) of `epochs`: linear from 1 % of the maximum during warm-up, then half a
/// cosine from the maximum to the final rate (Loshchilov and Hutter, 2017, without restarts).
double learningRateAt(const OptimizerPlan& plan, double epoch, double epochs);

}  // namespace attnscope

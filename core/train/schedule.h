// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/training_plan.h"

namespace attnscope {

/// The learning rate after `epoch` epochs (fractions count) of `epochs`: linear from 1 % of the top during warm-up, then half a cosine
/// from the top to the final rate (Loshchilov and Hutter, 2017, without restarts).
double learningRateAt(const OptimizerPlan& plan, double epoch, double epochs);

}  // namespace attnscope

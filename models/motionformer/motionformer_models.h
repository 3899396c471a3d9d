// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/motionformer/motionformer_description.h"
#include "models/named_description.h"

#include <vector>

namespace attnscope {

using NamedMotionformer = NamedDescription<MotionformerDescription>;

/// The named Motionformers, with the 400 classes of Kinetics-400.
const std::vector<NamedMotionformer>& namedMotionformers();

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/motionformer/motionformer_description.h"

#include <string>
#include <vector>

namespace attnscope {

struct NamedMotionformer {
    MotionformerDescription description;
    std::string title;
    std::string note;
};

/// The named Motionformers, with the 400 classes of Kinetics-400.
const std::vector<NamedMotionformer>& namedMotionformers();

/// Only their descriptions.
std::vector<MotionformerDescription> motionformerModels();

}  // namespace attnscope

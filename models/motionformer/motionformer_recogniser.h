// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Tells Motionformer by the names and shapes of a checkpoint's tensors; nothing when they are of another family. Fills everything but `model`
/// and `labels`.
std::optional<CheckpointIdentity> recogniseMotionformer(const StateDict& state);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Recognises Motionformer by the names and shapes of a checkpoint's tensors; empty if they belong to another family. Fills everything but
/// `model` and `labels`.
std::optional<CheckpointIdentity> recogniseMotionformer(const StateDict& state);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Recognises DeiT and evit by the names and shapes of a checkpoint's tensors; empty if they belong to another family. Fills everything but
/// `model` and `labels`.
std::optional<CheckpointIdentity> recogniseVit(const StateDict& state);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Recognises PVTv2 and its form with LARA by the names and shapes of a checkpoint's tensors; empty if they belong to another family. Fills
/// everything but `model` and `labels`.
std::optional<CheckpointIdentity> recognisePvt(const StateDict& state);

}  // namespace attnscope

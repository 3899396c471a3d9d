// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

// One function for each family; nothing when the names are of another. Each fills everything but `model` and `labels`.
std::optional<CheckpointIdentity> recogniseVit(const StateDict& state);
std::optional<CheckpointIdentity> recognisePvt(const StateDict& state);
std::optional<CheckpointIdentity> recogniseMotionformer(const StateDict& state);

/// Families that are not run here: their title and the name that gave them away.
std::optional<CheckpointIdentity> recogniseForeign(const StateDict& state);

}  // namespace attnscope

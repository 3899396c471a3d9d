// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Networks that are not run here: their title and the tensor's name that gave them away.
std::optional<CheckpointIdentity> recogniseForeign(const StateDict& state);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/checkpoint_identity.h"

#include <optional>

namespace attnscope {

/// Recognises networks that can't be run here: their title and the name of the tensor that identified them.
std::optional<CheckpointIdentity> recogniseForeign(const StateDict& state);

}  // namespace attnscope

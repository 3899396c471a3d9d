// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle.h"
#include "core/checkpoint/state_dict.h"

#include <string>

namespace attnscope {

/// Finds the weights in what was unpickled: at the top, or under `model`, `state_dict`, `model_state` (in this order). What else is
/// there becomes metadata; averaged copies (`model_ema`, `state_dict_ema`) are left out and named. Throws FileError without tensors.
StateDict stateFromPickle(const PickleValue& value, const std::string& name, const Limits& limits);

}  // namespace attnscope

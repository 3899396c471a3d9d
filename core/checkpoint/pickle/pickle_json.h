// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle/pickle.h"

#include <optional>

namespace attnscope {

/// A small value of a pickle as JSON: numbers, texts, lists, dictionaries; records as objects with their class as "__class__". Empty for
/// values that contain tensors or bytes, and for those too large or too deep to be a setting.
std::optional<Json> toJson(const PickleGraph& graph, PickleRef ref);

}  // namespace attnscope

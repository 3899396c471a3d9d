// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace attnscope {

/// Keys keep the order in which they were written, so that output reads like the documentation.
using Json = nlohmann::ordered_json;

}  // namespace attnscope

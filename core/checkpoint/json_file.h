// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"

#include <filesystem>

namespace attnscope {

/// What a file holds; discarded (`is_discarded`) where that is not valid JSON. Throws FileError if it cannot be read.
[[nodiscard]] Json readJson(const std::filesystem::path& path);

}  // namespace attnscope

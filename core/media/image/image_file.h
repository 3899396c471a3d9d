// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

/// The bytes of an image file. Only regular files are read, at most `limits.imageBytes`, and beyond the signature only if it is an image's.
/// Throws FileError.
std::vector<std::uint8_t> readImageFile(const std::filesystem::path& path, const Limits& limits);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

/// Up to `count` bytes from the beginning of a regular file, to recognise its kind. Empty if it is not a regular file, can't be read or has
/// size 0, like the kernel's files under /proc: reading one of those can block or consume it.
[[nodiscard]] std::vector<std::uint8_t> firstBytes(const std::filesystem::path& path, std::size_t count);

}  // namespace attnscope

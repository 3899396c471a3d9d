// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

/// Up to `count` bytes from the beginning of a regular file, to tell what kind of file it is. Nothing of what is no regular file, cannot
/// be read or says that it is empty: the kernel's files under /proc do, and reading one of those can block or use it up.
[[nodiscard]] std::vector<std::uint8_t> firstBytes(const std::filesystem::path& path, std::size_t count);

}  // namespace attnscope

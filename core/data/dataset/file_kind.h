// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace attnscope {

enum class FileKind { Other, Image, Video };

/// What a name promises by its suffix, in any case. A first sieve: content decides when the file is read.
FileKind kindBySuffix(const std::filesystem::path& path);

/// Which folder or file a path leads to, whatever links it goes by.
struct FileIdentity {
    std::uint64_t device = 0, number = 0;
    friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

/// Empty when nothing is there or it cannot be looked at.
std::optional<FileIdentity> identityOf(const std::filesystem::path& path);

/// Through links; false where it cannot be looked at.
bool isFolder(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);

/// Begins with a dot.
bool isHidden(const std::filesystem::path& path);

}  // namespace attnscope

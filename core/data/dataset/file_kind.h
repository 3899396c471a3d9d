// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace attnscope {

enum class FileKind { Other, Image, Video };

/// The kind suggested by the suffix, in any case. Only a first filter: the content decides when the file is read.
FileKind kindBySuffix(const std::filesystem::path& path);

/// Identifies the folder or file behind a path, whatever links lead to it.
struct FileIdentity {
    std::uint64_t device = 0, number = 0;
    friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

/// Empty if nothing is there or it is inaccessible.
std::optional<FileIdentity> identityOf(const std::filesystem::path& path);

/// Follows links; false if inaccessible.
bool isFolder(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);

/// Starts with a dot.
bool isHidden(const std::filesystem::path& path);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

namespace attnscope {

enum class FileKind { Other, Image, Video };

/// The kind suggested by the suffix, in any case. Only a first filter: the content decides when the file is read.
[[nodiscard]] FileKind kindBySuffix(const std::filesystem::path& path);

/// Identifies the folder or file behind a path, whatever links lead to it.
struct FileIdentity {
    std::uint64_t device = 0, number = 0;
    friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

/// Empty if nothing is there or it is inaccessible.
[[nodiscard]] std::optional<FileIdentity> identityOf(const std::filesystem::path& path);

/// Follows links; false if inaccessible.
[[nodiscard]] bool isFolder(const std::filesystem::path& path);
[[nodiscard]] bool isFile(const std::filesystem::path& path);

[[nodiscard]] bool hasFolders(const std::filesystem::path& folder);

/// What a folder contains, sorted, without names that start with a dot. `problem`: why not all of it could be read.
[[nodiscard]] std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path& folder,
                                                        std::error_code* problem = nullptr);

}  // namespace attnscope

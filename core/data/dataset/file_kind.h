#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace attnscope {

enum class FileKind { Other, Image, Video };

/// The kind suggested by the suffix, in any case. Only a first filter: the content decides when the file is read.
FileKind kindBySuffix(const std::filesystem::path& path);
/// The same, but an unknown suffix, or none, leaves it to the first bytes of the file.
FileKind kindOf(const std::filesystem::path& path);

/// "a tar archive", "a Parquet table" …: a file by whose content images are packed; empty for anything else. Those that are read in place are
/// told by isArchive (core/archive/open_archive.h).
std::string_view archiveFormat(const std::filesystem::path& path);

/// What a folder, or an archive, contains.
struct FolderEntry {
    enum class Kind { File, Folder, BrokenLink, Other };
    std::filesystem::path path;
    Kind kind = Kind::Other;  ///< of what a link leads to
    bool isLink = false;
    operator const std::filesystem::path&() const { return path; }
};

// In all that follows a path may lead into an archive: "val.tar/cat" is a folder.

/// Identifies the folder or file behind a path, whatever links lead to it.
struct FileIdentity {
    uint64_t device = 0, number = 0;
    friend auto operator<=>(const FileIdentity&, const FileIdentity&) = default;
};

/// Empty if nothing is there or it is inaccessible.
std::optional<FileIdentity> identityOf(const std::filesystem::path& path);

/// Follows links; false if inaccessible.
bool isFolder(const std::filesystem::path& path);
bool isFile(const std::filesystem::path& path);

bool hasFolders(const std::filesystem::path& folder);

/// Whether a name begins with a dot, or systems leave it.
bool isSystemName(std::string_view name);

/// What a folder, or an archive, contains, sorted, without names that start with a dot and those that systems leave ("@eaDir", "Thumbs.db" …), which
/// are added to `system`. `problem`: why not all of it could be read.
std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder, std::error_code* problem = nullptr,
                                   std::vector<std::filesystem::path>* system = nullptr);

}

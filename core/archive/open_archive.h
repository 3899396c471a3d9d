#pragma once

#include "core/archive/archive.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Whether a file is an archive that can be read in place, by its content: tar, tar.gz, zip.
bool isArchive(const std::filesystem::path& path);

/// An archive with its entries by name.
struct OpenedArchive {
    std::shared_ptr<const Archive> archive;
    std::vector<uint32_t> byName;  ///< the entries, sorted by name

    /// Of those, one's name.
    const std::string& name(size_t place) const { return archive->entries()[byName[place]].name; }
    std::optional<size_t> find(const std::string& name) const;
    /// The place in `byName` of the first entry whose name is not before `name`.
    size_t lowerBound(const std::string& name) const;
};

/// Opens an archive, and lists it unless it was listed before and is still the same file: one object for all callers, from any thread. Throws
/// FileError: no archive, damaged, cut off, a compression that cannot be read in place.
std::shared_ptr<const OpenedArchive> openArchive(const std::filesystem::path& path);

/// The file behind which a path goes on ("val.tar" of "val.tar/cat/1.jpg"); empty for other paths.
std::filesystem::path archiveOf(const std::filesystem::path& path);

/// What a path names in an archive.
struct PackedPath {
    std::shared_ptr<const OpenedArchive> archive;
    std::string name;             ///< in the archive
    std::optional<size_t> entry;  ///< empty: a folder, or nothing
};

/// Empty for paths that do not lead into an archive. Throws like openArchive.
std::optional<PackedPath> findPacked(const std::filesystem::path& path);

/// From now on, listings are kept in this folder between runs, by the identity of the archive; it may be removed at any time.
void keepListings(const std::filesystem::path& folder);

}

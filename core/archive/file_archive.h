#pragma once

#include "core/archive/listing.h"

#include <filesystem>
#include <memory>

namespace attnscope {

/// Whether a file is a tar, tar.gz or zip archive, by its content.
bool isFileArchive(const std::filesystem::path& path);

/// Throws FileError: another file, damaged, cut off, a compression that cannot be read in place.
ArchiveListing listArchive(const std::filesystem::path& path);

/// The archive that was listed.
std::shared_ptr<const Archive> fileArchive(const std::filesystem::path& path, ArchiveListing listing);

}

#pragma once

#include "core/archive/listing.h"

#include <filesystem>
#include <optional>
#include <string>

namespace attnscope {

/// The file behind a path as it is now: device, number, size and times. Throws FileError if there is none.
std::string archiveIdentity(const std::filesystem::path& path);

/// The listing that an earlier run kept of the archive; empty if there is none of this identity, or it is damaged.
std::optional<ArchiveListing> keptListing(const std::filesystem::path& archive, const std::string& identity);
/// Keeps it for later runs where a folder was given (keepListings); without room for it nothing happens.
void keepListing(const std::filesystem::path& archive, const std::string& identity, const ArchiveListing& listing);

}

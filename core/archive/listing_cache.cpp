#include "core/archive/listing_cache.h"

#include "core/archive/open_archive.h"
#include "core/base/archive.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <mutex>
#include <system_error>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* suffix = ".listing";

fs::path& listingFolder()
{
    static fs::path folder;
    return folder;
}

struct KeptListing {
    std::string identity;
    ArchiveListing listing;
};

/// Archives come and go: what was written long ago is removed, once in each run.
void removeOld()
{
    constexpr std::chrono::days kept{90};
    std::error_code problem;
    for (const auto& file : fs::directory_iterator(listingFolder(), problem))
        if (file.path().extension() == suffix
            && file.last_write_time(problem) + kept < fs::file_time_type::clock::now())
            fs::remove(file.path(), problem);
}

fs::path fileOf(const fs::path& archive)
{
    const std::string path = fs::absolute(archive).lexically_normal().string();
    return listingFolder() / fmt::format("{:016x}{}", archive::checksum(path), suffix);
}

}

void keepListings(const std::filesystem::path& folder)
{
    listingFolder() = folder;
}

std::string archiveIdentity(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        throw FileError(path.string(), "it cannot be read (" + std::generic_category().message(errno) + ")",
                        "check the path and its permissions");
    return fmt::format("{} {} {} {}.{} {}.{} {}", status.st_dev, status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                       status.st_ctim.tv_nsec, fs::absolute(path).lexically_normal().string());
}

std::optional<ArchiveListing> keptListing(const fs::path& archive, const std::string& identity)
{
    if (listingFolder().empty())
        return std::nullopt;
    std::ifstream file(fileOf(archive), std::ios::binary);
    if (!file)
        return std::nullopt;
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    try {
        auto kept = unarchived<KeptListing>(bytes);
        if (kept.identity == identity && kept.listing.places.size() == kept.listing.entries.size())
            return std::move(kept.listing);
    } catch (const Error&) {
        // Of another version, or damaged: it is made anew.
    }
    return std::nullopt;
}

void keepListing(const fs::path& archive, const std::string& identity, const ArchiveListing& listing)
{
    if (listingFolder().empty())
        return;
    try {
        createFolders(listingFolder());
        static std::once_flag once;
        std::call_once(once, removeOld);
        writeFileAtomically(fileOf(archive), archived(KeptListing{identity, listing}));
    } catch (const FileError&) {
        // A full or read-only disk costs the next run a listing, and this one nothing.
    }
}

}

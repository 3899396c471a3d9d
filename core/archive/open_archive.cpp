#include "core/archive/open_archive.h"

#include "core/archive/file_archive.h"
#include "core/archive/listing_cache.h"
#include "core/archive/parquet.h"
#include "core/base/error.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Of all archives that stay open; beyond that the others are listed again when they are needed.
constexpr size_t keptEntries = 32'000'000;

/// An archive as it was when it was opened.
struct Slot {
    std::mutex mutex;
    std::string identity;
    std::shared_ptr<const OpenedArchive> opened;
};

/// The archives that are open.
class Registry {
public:
    std::shared_ptr<Slot> slot(const std::string& path)
    {
        const std::scoped_lock lock(m_mutex);
        auto& known = m_slots[path];
        if (!known)
            known = std::make_shared<Slot>();
        return known;
    }

    /// Forgets all others where these entries are too many.
    void count(const std::string& path, size_t entries)
    {
        const std::scoped_lock lock(m_mutex);
        m_entries += entries;
        if (m_entries <= keptEntries)
            return;
        std::erase_if(m_slots, [&](const auto& slot) { return slot.first != path; });
        m_entries = entries;
    }

private:
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<Slot>> m_slots;
    size_t m_entries = 0;
};

std::shared_ptr<const Archive> listedArchive(const fs::path& path, [[maybe_unused]] const std::string& identity)
{
#ifdef ATTNSCOPE_MEDIA
    if (isParquet(path))
        return openParquet(path);
    auto listing = keptListing(path, identity);
    if (!listing) {
        listing = listArchive(path);
        keepListing(path, identity, *listing);
    }
    return fileArchive(path, std::move(*listing));
#else
    throw Unsupported(path.string(), "this build reads no images, and no archives of them",
                      "build with ATTNSCOPE_MEDIA=ON");
#endif
}

std::shared_ptr<const OpenedArchive> openedArchive(const fs::path& path, const std::string& identity)
{
    auto opened = std::make_shared<OpenedArchive>();
    opened->archive = listedArchive(path, identity);
    const auto& entries = opened->archive->entries();
    opened->byName.resize(entries.size());
    std::iota(opened->byName.begin(), opened->byName.end(), 0);
    std::ranges::sort(opened->byName, {}, [&](uint32_t i) -> const std::string& { return entries[i].name; });
    return opened;
}

}

bool isArchive([[maybe_unused]] const std::filesystem::path& path)
{
#ifdef ATTNSCOPE_MEDIA
    return isFileArchive(path) || isParquet(path);
#else
    return false;
#endif
}

size_t OpenedArchive::lowerBound(const std::string& name) const
{
    const auto& entries = archive->entries();
    const auto found = std::ranges::lower_bound(byName, name, {},
                                                [&](uint32_t i) -> const std::string& { return entries[i].name; });
    return size_t(found - byName.begin());
}

std::optional<size_t> OpenedArchive::find(const std::string& name) const
{
    const size_t at = lowerBound(name);
    return at < byName.size() && this->name(at) == name ? std::optional<size_t>(byName[at]) : std::nullopt;
}

std::shared_ptr<const OpenedArchive> openArchive(const std::filesystem::path& path)
{
    static Registry registry;
    const std::string name = fs::absolute(path).lexically_normal().string();
    const std::string identity = archiveIdentity(path);
    const auto slot = registry.slot(name);
    const std::scoped_lock lock(slot->mutex);
    if (!slot->opened || slot->identity != identity) {
        slot->opened = openedArchive(path, identity);
        slot->identity = identity;
        registry.count(name, slot->opened->byName.size());
    }
    return slot->opened;
}

std::filesystem::path archiveOf(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 || errno != ENOTDIR)
        return {};
    fs::path file = path;
    while (file.has_relative_path() && file.has_parent_path()) {
        file = file.parent_path();
        if (::stat(file.c_str(), &status) == 0)
            return S_ISREG(status.st_mode) ? file : fs::path();
    }
    return {};
}

std::optional<PackedPath> findPacked(const std::filesystem::path& path)
{
    const fs::path file = archiveOf(path);
    if (file.empty())
        return std::nullopt;
    PackedPath found{openArchive(file), path.lexically_relative(file).string(), std::nullopt};
    found.entry = found.archive->find(found.name);
    return found;
}

}

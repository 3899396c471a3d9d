#include "core/data/loading/crop_cache.h"

#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/fast_checksum.h"
#include "core/base/format.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <system_error>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

std::string identityOf(const std::string& path, const struct stat& status)
{
    return fmt::format("{} {}.{} {}.{} {} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                       status.st_ctim.tv_sec, status.st_ctim.tv_nsec, status.st_ino,
                       fs::absolute(path).lexically_normal().string());
}

/// A file of the folder, for the size limit.
struct Stored {
    fs::path path;
    int64_t bytes = 0;
    fs::file_time_type used;
};

std::vector<Stored> storedIn(const fs::path& folder)
{
    std::vector<Stored> files;
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        std::error_code gone;
        const bool ours = entry.path().extension() == cropFileSuffix
                          || entry.path().extension() == unfinishedCropFileSuffix;
        const auto bytes = int64_t(ours ? entry.file_size(gone) : 0);
        const auto used = ours && !gone ? entry.last_write_time(gone) : fs::file_time_type();
        if (ours && !gone)
            files.push_back({entry.path(), bytes, used});
    }
    return files;
}

int64_t freeBytesIn(const fs::path& folder)
{
    std::error_code problem;
    const fs::space_info space = fs::space(folder, problem);
    return problem ? 0 : int64_t(space.available);
}

}

std::optional<std::string> imageIdentity(const std::string& path)
{
    constexpr std::time_t settled = 2;  // seconds: the coarsest timestamp of a file system
    struct stat status {};
    const fs::path archive = archiveOf(path);
    const fs::path& file = archive.empty() ? fs::path(path) : archive;
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    const std::time_t changed = std::max(status.st_mtim.tv_sec, status.st_ctim.tv_sec);
    if (changed + settled > std::time(nullptr))
        return std::nullopt;
    return identityOf(path, status);
}

CropCache::CropCache(Options options)
    : m_options(std::move(options))
    , m_stem(fmt::format("{:016x}", fastChecksum({reinterpret_cast<const uint8_t*>(m_options.description.data()),
                                                  m_options.description.size()})))
{
    std::error_code problem;
    fs::create_directories(m_options.folder, problem);
    if (!fs::is_directory(m_options.folder))
        throw FileError(m_options.folder.string(),
                        "crops cannot be stored there (" + (problem ? problem.message() : "it is not a folder")
                            + ")",
                        "specify a writable folder");
    CropFileWriter::removeAbandoned(m_options.folder);
    read();
}

CropCache::~CropCache()
{
    finish();
}

void CropCache::read()
{
    for (const Stored& stored : storedIn(m_options.folder)) {
        if (stored.path.extension() != cropFileSuffix || !stored.path.filename().string().starts_with(m_stem))
            continue;
        try {
            add(CropFile::open(stored.path), stored.path);
        } catch (const std::system_error&) {
            // Somebody removed it, or too many files are open: it is not damaged.
        }
    }
}

void CropCache::add(std::optional<CropFile> opened, const fs::path& path)
{
    std::error_code ignored;
    if (!opened) {
        fs::remove(path, ignored);
        return;
    }
    const auto file = std::make_shared<const CropFile>(std::move(*opened));
    if (file->description() != m_options.description || file->cropBytes() != m_options.cropBytes)
        return;
    for (size_t slot = 0; slot < file->entries().size(); ++slot)
        m_places.insert_or_assign(file->entries()[slot].key, Place{file, slot});
}

bool CropCache::find(const std::string& identity, std::span<uint8_t> crop)
{
    Place place;
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_places.find(identity);
        if (found == m_places.end())
            return false;
        place = found->second;
        if (m_useful.insert(place.file->path()).second)
            place.file->touch();
    }
    const bool whole = place.file->read(place.slot, crop);
    const std::scoped_lock lock(m_mutex);
    if (!whole)
        forget(place.file);
    m_found += whole ? 1 : 0;
    return whole;
}

/// Needs the lock.
void CropCache::forget(const std::shared_ptr<const CropFile>& file)
{
    std::erase_if(m_places, [&](const auto& place) { return place.second.file == file; });
    std::error_code ignored;
    fs::remove(file->path(), ignored);
}

void CropCache::keep(const std::string& path, const std::string& identity, std::span<const uint8_t> crop)
{
    if (crop.size() != m_options.cropBytes || imageIdentity(path) != identity)
        return;
    const std::scoped_lock lock(m_mutex);
    if (!m_keeps || m_places.contains(identity) || !m_kept.insert(identity).second)
        return;
    try {
        if (!m_writer) {
            if (!makeRoom())
                return;
            m_writer = std::make_unique<CropFileWriter>(m_options.folder, m_stem, m_options.description,
                                                        m_options.cropBytes);
        }
        m_writer->add(identity, crop);
        if (m_writer->count() >= m_options.fileImages) {
            m_useful.insert(m_writer->finish());
            m_writer.reset();
        }
    } catch (const std::system_error& error) {
        giveUp("it cannot be written (" + error.code().message() + ")");
    }
}

void CropCache::finish()
{
    const std::scoped_lock lock(m_mutex);
    if (!m_writer)
        return;
    try {
        if (m_writer->count() > 0)
            m_useful.insert(m_writer->finish());
        m_writer.reset();
    } catch (const std::system_error& error) {
        giveUp("it cannot be written (" + error.code().message() + ")");
    }
}

/// Makes room for one more file. Needs the lock.
bool CropCache::makeRoom()
{
    const auto wanted = CropFileWriter::bytesOf(m_options.fileImages, m_options.cropBytes);
    std::vector<Stored> files = storedIn(m_options.folder);
    int64_t all = 0;
    for (const Stored& file : files)
        all += file.bytes;
    std::erase_if(files, [&](const Stored& file) {
        return file.path.extension() != cropFileSuffix || m_useful.contains(file.path);
    });
    std::ranges::sort(files, [](const Stored& a, const Stored& b) { return a.used < b.used; });
    const auto isTight = [&] {
        return all + wanted > m_options.bytes || freeBytesIn(m_options.folder) < wanted + m_options.leaveFree;
    };
    for (auto oldest = files.begin(); isTight() && oldest != files.end(); ++oldest) {
        std::erase_if(m_places, [&](const auto& place) { return place.second.file->path() == oldest->path; });
        std::error_code ignored;
        if (fs::remove(oldest->path, ignored))
            all -= oldest->bytes;
    }
    if (!isTight())
        return true;
    giveUp(
        all + wanted > m_options.bytes
            ? fmt::format("it has reached its limit of {}", formatBytes(m_options.bytes).text())
            : fmt::format("less than {} would remain free on its disk", formatBytes(m_options.leaveFree).text()));
    return false;
}

/// Needs the lock.
void CropCache::giveUp(std::string sentence)
{
    m_keeps = false;
    m_writer.reset();
    m_message = fmt::format("The cache {} stores no more images: {}; the evaluation continues without it.",
                            printable(m_options.folder.string()), sentence);
}

int64_t CropCache::found() const
{
    const std::scoped_lock lock(m_mutex);
    return m_found;
}

std::string CropCache::takeMessage()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_message, {});
}

}

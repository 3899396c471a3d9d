#include "core/data/loading/crop_file.h"

#include "core/base/fast_checksum.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t magic = 0x31'53'50'4f'52'43'54'41;  // "ATCROPS1" on machines with this byte order
constexpr uint64_t page = 4096;

struct Header {
    uint64_t magic = attnscope::magic;
    uint64_t cropBytes = 0;
    uint64_t count = 0;
    uint64_t indexAt = 0, indexBytes = 0, indexChecksum = 0;
    uint64_t checksum = 0;  ///< of what precedes it

    uint64_t own() const
    {
        return fastChecksum({reinterpret_cast<const uint8_t*>(this), offsetof(Header, checksum)});
    }
};

uint64_t strideOf(uint64_t cropBytes)
{
    return (cropBytes + page - 1) / page * page;
}

uint64_t placeOf(uint64_t slot, uint64_t cropBytes)
{
    return page + slot * strideOf(cropBytes);
}

uint64_t checksumOf(std::string_view text)
{
    return fastChecksum({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

/// A slot's checksum is only valid together with its key.
uint64_t checksumOf(const std::string& key, std::span<const uint8_t> crop)
{
    return fastChecksum(crop, checksumOf(key));
}

/// Repeats ::pread or ::pwrite until all bytes are transferred. Returns 0, or why they are not: errno, or `atEnd` if nothing more is taken.
template <auto transfer, typename Byte>
int transferAll(int file, Byte* bytes, size_t count, uint64_t at, int atEnd)
{
    while (count > 0) {
        const ssize_t done = transfer(file, bytes, count, static_cast<off_t>(at));
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : atEnd;
        bytes += done;
        at += uint64_t(done);
        count -= size_t(done);
    }
    return 0;
}

bool readAt(int file, void* to, size_t bytes, uint64_t at)
{
    return transferAll<::pread>(file, static_cast<uint8_t*>(to), bytes, at, EIO) == 0;
}

[[noreturn]] void fail(int error)
{
    throw std::system_error(error, std::generic_category());
}

void writeAt(int file, const void* from, size_t bytes, uint64_t at)
{
    if (const int error = transferAll<::pwrite>(file, static_cast<const uint8_t*>(from), bytes, at, ENOSPC))
        fail(error);
}

template <typename Number>
void append(std::string& text, Number number)
{
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void appendText(std::string& text, const std::string& value)
{
    append(text, uint32_t(value.size()));
    text += value;
}

/// Parses an index; false once it is too short.
class IndexReader {
public:
    explicit IndexReader(std::string index)
        : m_index(std::move(index))
    {}
    template <typename Number>
    bool take(Number& number)
    {
        if (m_index.size() - m_at < sizeof number)
            return false;
        std::memcpy(&number, m_index.data() + m_at, sizeof number);
        m_at += sizeof number;
        return true;
    }
    bool takeText(std::string& text)
    {
        uint32_t length = 0;
        if (!take(length) || m_index.size() - m_at < length)
            return false;
        text = m_index.substr(m_at, length);
        m_at += length;
        return true;
    }

private:
    std::string m_index;
    size_t m_at = 0;
};

/// The lock is held only to check whether the file is abandoned. A file system without locks has nothing to wait for.
void lockWaiting(int file)
{
    while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
    }
}

/// Whether the file still has a name.
bool isLinked(int file)
{
    struct stat status {};
    if (::fstat(file, &status) != 0)
        fail(errno);
    return status.st_nlink > 0;
}

/// Whether everything the header describes fits into a file of this size.
bool fits(const Header& header, uint64_t fileBytes)
{
    constexpr uint64_t most = uint64_t{1} << 40;
    return header.magic == magic && header.checksum == header.own() && header.cropBytes > 0
           && header.cropBytes < most && header.count < most / strideOf(header.cropBytes)
           && header.indexAt == placeOf(header.count, header.cropBytes) && header.indexBytes < most
           && header.indexAt + header.indexBytes == fileBytes;
}

}

std::optional<CropFile> CropFile::open(const fs::path& path)
{
    CropFile opened;
    opened.m_path = path;
    opened.m_file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    Header header;
    const int file = opened.m_file.number();
    if (file < 0)
        fail(errno);
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !readAt(file, &header, sizeof header, 0)
        || !fits(header, uint64_t(status.st_size)))
        return std::nullopt;
    std::string index(header.indexBytes, '\0');
    if (!readAt(file, index.data(), index.size(), header.indexAt) || checksumOf(index) != header.indexChecksum)
        return std::nullopt;
    IndexReader reader(std::move(index));
    bool whole = reader.takeText(opened.m_description);
    for (uint64_t i = 0; whole && i < header.count; ++i) {
        Entry& slot = opened.m_entries.emplace_back();
        whole = reader.take(slot.checksum) && reader.takeText(slot.key);
    }
    opened.m_cropBytes = header.cropBytes;
    return whole ? std::optional(std::move(opened)) : std::nullopt;
}

bool CropFile::read(size_t slot, std::span<uint8_t> crop) const
{
    return crop.size() == m_cropBytes
           && readAt(m_file.number(), crop.data(), crop.size(), placeOf(slot, m_cropBytes))
           && checksumOf(m_entries[slot].key, crop) == m_entries[slot].checksum;
}

void CropFile::touch() const
{
    ::futimens(m_file.number(), nullptr);
}

CropFileWriter::CropFileWriter(const fs::path& folder, const std::string& stem, std::string description,
                               uint64_t cropBytes)
    : m_description(std::move(description))
    , m_cropBytes(cropBytes)
{
    // Between its creation and its lock, another process may consider it abandoned and remove it: then create another.
    do {
        m_part = (folder / (stem + "-XXXXXX" + unfinishedCropFileSuffix)).string();
        m_file = FileDescriptor(::mkostemps(m_part.data(), int(std::strlen(unfinishedCropFileSuffix)), O_CLOEXEC));
        if (!m_file.isOpen())
            fail(errno);
        lockWaiting(m_file.number());
    } while (!isLinked(m_file.number()));
}

CropFileWriter::~CropFileWriter()
{
    if (!m_part.empty())
        ::unlink(m_part.c_str());
}

int64_t CropFileWriter::bytesOf(size_t count, uint64_t cropBytes)
{
    return int64_t(placeOf(count, cropBytes));
}

void CropFileWriter::add(std::string key, std::span<const uint8_t> crop)
{
    writeAt(m_file.number(), crop.data(), crop.size(), placeOf(m_entries.size(), m_cropBytes));
    const uint64_t checksum = checksumOf(key, crop);
    m_entries.push_back({std::move(key), checksum});
}

fs::path CropFileWriter::finish()
{
    std::string index;
    appendText(index, m_description);
    for (const CropFile::Entry& slot : m_entries) {
        append(index, slot.checksum);
        appendText(index, slot.key);
    }
    Header header;
    header.cropBytes = m_cropBytes;
    header.count = m_entries.size();
    header.indexAt = placeOf(m_entries.size(), m_cropBytes);
    header.indexBytes = index.size();
    header.indexChecksum = checksumOf(index);
    header.checksum = header.own();
    writeAt(m_file.number(), index.data(), index.size(), header.indexAt);
    writeAt(m_file.number(), &header, sizeof header, 0);
    fs::path whole = m_part.substr(0, m_part.size() - std::strlen(unfinishedCropFileSuffix)) + cropFileSuffix;
    if (std::rename(m_part.c_str(), whole.c_str()) != 0)
        fail(errno);
    m_part.clear();
    m_file.close();
    return whole;
}

void CropFileWriter::removeAbandoned(const fs::path& folder)
{
    std::error_code problem;
    for (const auto& entry : fs::directory_iterator(folder, problem)) {
        if (entry.path().extension() != unfinishedCropFileSuffix)
            continue;
        const FileDescriptor file(::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
        if (file.isOpen() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
            ::unlink(entry.path().c_str());
    }
}

}

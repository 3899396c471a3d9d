#include "core/archive/file_archive.h"

#include "core/archive/gzip.h"
#include "core/archive/tar.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/checkpoint/zip_directory.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

enum class ArchiveFormat { None, Tar, TarGz, Zip };

bool beginsLikeTar(std::span<const std::byte> bytes)
{
    constexpr size_t magicAt = 257;
    constexpr std::string_view magic = "ustar";
    return bytes.size() >= magicAt + magic.size()
           && std::equal(magic.begin(), magic.end(), bytes.begin() + magicAt,
                         [](char a, std::byte b) { return std::byte(a) == b; });
}

ArchiveFormat formatOf(const fs::path& path)
{
    const std::vector<uint8_t> start = firstBytes(path, 512);
    const auto bytes = std::as_bytes(std::span(start));
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    using namespace std::string_view_literals;
    if (text.starts_with("PK\3\4"sv))
        return ArchiveFormat::Zip;
    if (beginsLikeTar(bytes))
        return ArchiveFormat::Tar;
    if (!text.starts_with("\x1f\x8b"sv))
        return ArchiveFormat::None;
    try {
        std::vector<std::byte> unpacked(512);
        unpacked.resize(GzipReader(openFile(path), {}).read(unpacked));
        return beginsLikeTar(unpacked) ? ArchiveFormat::TarGz : ArchiveFormat::None;
    } catch (const FileError&) {
        return ArchiveFormat::None;
    }
}

/// A tar archive on the disk: what lies between its headers is not read.
class FileInput : public TarInput {
public:
    explicit FileInput(const ByteSource& file)
        : m_file(file)
        , m_buffer(4096)
    {}
    std::span<const std::byte> next() override
    {
        const auto count = size_t(std::min(int64_t(m_buffer.size()), m_file.size() - m_at));
        const std::span<std::byte> bytes = std::span(m_buffer).first(count);
        m_file.read(m_at, bytes);
        m_at += int64_t(count);
        return bytes;
    }
    int64_t skip(int64_t count) override
    {
        const int64_t skipped = std::min(count, m_file.size() - m_at);
        m_at += skipped;
        return skipped;
    }

private:
    const ByteSource& m_file;
    std::vector<std::byte> m_buffer;
    int64_t m_at = 0;
};

/// One that is unpacked meanwhile.
class GzipInput : public TarInput {
public:
    explicit GzipInput(GzipReader& reader)
        : m_reader(reader)
        , m_buffer(65'536)
    {}
    std::span<const std::byte> next() override { return std::span(m_buffer).first(m_reader.read(m_buffer)); }
    int64_t skip(int64_t) override { return 0; }

private:
    GzipReader& m_reader;
    std::vector<std::byte> m_buffer;
};

ArchiveListing listTarGz(const std::shared_ptr<const ByteSource>& file)
{
    std::vector<GzipPoint> points(1);
    GzipReader reader(file, {}, &points);
    GzipInput input(reader);
    ArchiveListing listing = listTar(input, file->name(), -1);
    points.push_back({.unpacked = reader.unpacked()});
    listing.points = std::move(points);
    return listing;
}

ArchiveListing listZip(const ByteSource& file)
{
    Limits limits;
    limits.zipEntries = int64_t{1} << 30;  // bounded by the size of the directory
    ListingBuilder builder(file.name());
    for (const ZipMember& member : readZipMembers(file, limits)) {
        const std::string name = builder.cleaned(member.name);
        if (member.isFile)
            builder.add(name, member.bytes,
                        {member.packed.offset, member.deflated ? member.packed.bytes : -1, member.crc32});
        else if (!member.name.ends_with('/'))
            builder.leaveOut("not_a_file", name);
    }
    return builder.finish();
}

/// An archive whose entries lie in its file, or in what a gzip file contains.
class FileArchive : public Archive {
public:
    FileArchive(fs::path path, ArchiveListing listing)
        : m_path(std::move(path))
        , m_listing(std::move(listing))
    {
        m_entries = std::move(m_listing.entries);
        m_issues = std::move(m_listing.issues);
        if (!m_listing.points.empty())
            m_unpacked = std::make_unique<GzipSource>(m_path, m_listing.points);
    }

    std::vector<uint8_t> read(size_t entry) const override
    {
        const PackedPlace& place = m_listing.places.at(entry);
        std::vector<uint8_t> bytes(size_t(m_entries[entry].bytes));
        const auto out = std::as_writable_bytes(std::span(bytes));
        if (place.deflated < 0) {
            m_unpacked ? m_unpacked->read(place.offset, out) : openFile(m_path)->read(place.offset, out);
        } else {
            std::vector<std::byte> packed(size_t(place.deflated));
            openFile(m_path)->read(place.offset, packed);
            if (!inflateAll(packed, out))
                refuse(entry);
        }
        if (place.checksum >= 0 && place.checksum != int64_t(crc32Of(out)))
            refuse(entry);
        return bytes;
    }

private:
    [[noreturn]] void refuse(size_t entry) const
    {
        throw FileError((m_path / m_entries[entry].name).string(), "its compressed data is damaged",
                        "copy or download the archive again");
    }

    fs::path m_path;
    ArchiveListing m_listing;
    std::unique_ptr<GzipSource> m_unpacked;
};

}

bool isFileArchive(const std::filesystem::path& path)
{
    return formatOf(path) != ArchiveFormat::None;
}

ArchiveListing listArchive(const std::filesystem::path& path)
{
    const ArchiveFormat format = formatOf(path);
    const std::shared_ptr<const ByteSource> file = openFile(path);
    if (format == ArchiveFormat::Zip)
        return listZip(*file);
    if (format == ArchiveFormat::TarGz)
        return listTarGz(file);
    if (format == ArchiveFormat::None)
        throw FileError(path.string(), "is not an archive that can be read in place",
                        "give a tar, tar.gz or zip archive, or unpack it");
    FileInput input(*file);
    return listTar(input, file->name(), file->size());
}

std::shared_ptr<const Archive> fileArchive(const std::filesystem::path& path, ArchiveListing listing)
{
    return std::make_shared<FileArchive>(path, std::move(listing));
}

}

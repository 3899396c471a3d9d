// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/zip_directory.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace attnscope {

namespace {

[[noreturn]] void refuse(const ByteSource& source, const std::string& problem)
{
    throw FileError(source.name(), problem, "save or download it again");
}

/// A stretch of the file with little-endian access that refuses to leave it.
class Window {
public:
    Window(const ByteSource& source, std::int64_t offset, std::int64_t size)
        : m_source(source)
    {
        const auto end = checkedAdd(offset, size);
        if (!end || *end > source.size())
            refuse(source, "its zip directory reaches outside the file");
        m_bytes.resize(static_cast<std::size_t>(size));
        source.read(offset, m_bytes);
    }

    std::uint64_t number(std::int64_t at, int bytes) const
    {
        if (at < 0 || at + bytes > static_cast<std::int64_t>(m_bytes.size()))
            refuse(m_source, "its zip directory breaks off");
        std::uint64_t value = 0;
        for (int i = bytes; i-- > 0;)
            value = (value << 8) | static_cast<std::uint64_t>(m_bytes[static_cast<std::size_t>(at + i)]);
        return value;
    }

    std::int64_t size64(std::int64_t at) const
    {
        const std::uint64_t value = number(at, 8);
        if (value > static_cast<std::uint64_t>(INT64_MAX))
            refuse(m_source, "its zip directory names an impossible size");
        return static_cast<std::int64_t>(value);
    }

    std::string text(std::int64_t at, std::int64_t length) const
    {
        if (at < 0 || length < 0 || at + length > static_cast<std::int64_t>(m_bytes.size()))
            refuse(m_source, "its zip directory breaks off");
        return {reinterpret_cast<const char*>(m_bytes.data()) + at, static_cast<std::size_t>(length)};
    }

    std::int64_t size() const { return static_cast<std::int64_t>(m_bytes.size()); }

private:
    const ByteSource& m_source;
    std::vector<std::byte> m_bytes;
};

struct DirectoryPlace {
    std::int64_t offset = 0, size = 0, entries = 0;
};

DirectoryPlace findDirectory(const ByteSource& source)
{
    constexpr std::int64_t recordSize = 22, longestComment = 65535;
    const std::int64_t tailSize = std::min(source.size(), recordSize + longestComment);
    const std::int64_t tailStart = source.size() - tailSize;
    const Window tail(source, tailStart, tailSize);
    for (std::int64_t at = tail.size() - recordSize; at >= 0; --at) {
        if (tail.number(at, 4) != 0x06054b50 || at + recordSize + static_cast<std::int64_t>(tail.number(at + 20, 2)) != tail.size())
            continue;
        DirectoryPlace place{static_cast<std::int64_t>(tail.number(at + 16, 4)), static_cast<std::int64_t>(tail.number(at + 12, 4)),
                             static_cast<std::int64_t>(tail.number(at + 10, 2))};
        const std::int64_t locator = at - 20;
        if (locator >= 0 && tail.number(locator, 4) == 0x07064b50) {  // zip64
            const Window record(source, tail.size64(locator + 8), 56);
            if (record.number(0, 4) != 0x06064b50)
                refuse(source, "its zip directory is damaged");
            place = {record.size64(48), record.size64(40), record.size64(32)};
        }
        return place;
    }
    refuse(source, "it begins like a zip archive but has no directory at its end (it may have been cut off)");
}

struct CentralEntry {
    std::string name;
    std::int64_t headerOffset = 0, size = 0, stored = 0;
};

/// Sizes that do not fit 32 bits stand in an extra field.
void readZip64Extra(const Window& directory, std::int64_t at, std::int64_t length, CentralEntry& entry)
{
    const std::int64_t end = at + length;
    while (at + 4 <= end) {
        const auto id = directory.number(at, 2);
        const auto size = static_cast<std::int64_t>(directory.number(at + 2, 2));
        std::int64_t field = at + 4;
        for (std::int64_t* value : {&entry.size, &entry.stored, &entry.headerOffset}) {
            if (id == 1 && *value == 0xffffffff && field + 8 <= at + 4 + size) {
                *value = directory.size64(field);
                field += 8;
            }
        }
        at += 4 + size;
    }
}

CentralEntry readCentralEntry(const ByteSource& source, const Window& directory, std::int64_t& at)
{
    if (directory.number(at, 4) != 0x02014b50)
        refuse(source, "its zip directory is damaged");
    CentralEntry entry;
    const auto nameLength = static_cast<std::int64_t>(directory.number(at + 28, 2));
    const auto extraLength = static_cast<std::int64_t>(directory.number(at + 30, 2));
    const auto commentLength = static_cast<std::int64_t>(directory.number(at + 32, 2));
    entry.name = directory.text(at + 46, nameLength);
    entry.stored = static_cast<std::int64_t>(directory.number(at + 20, 4));
    entry.size = static_cast<std::int64_t>(directory.number(at + 24, 4));
    entry.headerOffset = static_cast<std::int64_t>(directory.number(at + 42, 4));
    readZip64Extra(directory, at + 46 + nameLength, extraLength, entry);
    const std::string shown = printable(entry.name);
    if ((directory.number(at + 8, 2) & 1) != 0)
        refuse(source, "its entry `" + shown + "` is encrypted");
    if (directory.number(at + 10, 2) != 0 || entry.size != entry.stored)
        refuse(source, "its entry `" + shown + "` is compressed, which torch.save never does");
    at += 46 + nameLength + extraLength + commentLength;
    return entry;
}

ZipEntry locate(const ByteSource& source, const CentralEntry& entry, std::int64_t directoryOffset)
{
    const Window header(source, entry.headerOffset, 30);
    if (header.number(0, 4) != 0x04034b50)
        refuse(source, "its entry `" + printable(entry.name) + "` is not where the zip directory says");
    const std::int64_t offset = entry.headerOffset + 30 + static_cast<std::int64_t>(header.number(26, 2))
                                + static_cast<std::int64_t>(header.number(28, 2));
    const auto end = checkedAdd(offset, entry.size);
    if (!end || *end > directoryOffset)
        refuse(source, "its entry `" + printable(entry.name) + "` reaches outside the file");
    return {offset, entry.size};
}

void refuseOverlaps(const ByteSource& source, const std::map<std::string, ZipEntry>& entries)
{
    std::vector<ZipEntry> sorted;
    for (const auto& [name, entry] : entries)
        sorted.push_back(entry);
    std::sort(sorted.begin(), sorted.end(), [](const ZipEntry& a, const ZipEntry& b) { return a.offset < b.offset; });
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (sorted[i].offset < sorted[i - 1].offset + sorted[i - 1].size)
            refuse(source, "two of its zip entries overlap");
}

}  // namespace

std::map<std::string, ZipEntry> readZipDirectory(const ByteSource& source, const Limits& limits)
{
    const DirectoryPlace place = findDirectory(source);
    constexpr std::int64_t smallestEntry = 46;
    if (place.entries < 0 || place.entries > limits.zipEntries || place.entries > place.size / smallestEntry)
        refuse(source, "its zip directory claims an impossible number of entries");
    const Window directory(source, place.offset, place.size);
    std::map<std::string, ZipEntry> entries;
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < place.entries; ++i) {
        const CentralEntry entry = readCentralEntry(source, directory, at);
        if (!entries.emplace(entry.name, locate(source, entry, place.offset)).second)
            refuse(source, "its zip directory names `" + printable(entry.name) + "` twice");
    }
    refuseOverlaps(source, entries);
    return entries;
}

}  // namespace attnscope

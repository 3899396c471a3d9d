#include "core/checkpoint/zip_directory.h"

#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"

#include <algorithm>
#include <limits>
#include <span>

namespace attnscope {

namespace {

// Sizes and signatures of PKWARE's APPNOTE 6.3, sections 4.3.7 to 4.3.16.
constexpr int64_t endBytes = 22, end64Bytes = 56, locatorBytes = 20, entryBytes = 46, localBytes = 30;
constexpr uint64_t endMark = 0x06054b50, end64Mark = 0x06064b50, locatorMark = 0x07064b50, entryMark = 0x02014b50,
                   localMark = 0x04034b50;
constexpr uint64_t in64 = 0xffffffff;  ///< "see the 64-bit field"
/// Of an entry: compression level, sizes after the data, name in UTF-8. Others mean encryption or masking.
constexpr uint64_t harmlessFlags = 0x080e;
constexpr uint64_t deflate = 8, largestRatio = 1032;
constexpr int64_t longestName = 4096;
constexpr const char* resave = "save it again with torch.save or as safetensors";

uint64_t field(std::span<const std::byte> bytes, size_t at, size_t size)
{
    return integerOf(bytes.subspan(at, size), std::endian::little);
}

/// What a file may contain: what torch.save writes, or what any program does.
enum class ZipRules { Torch, Any };

class ZipReader {
public:
    ZipReader(const ByteSource& source, const Limits& limits, ZipRules rules)
        : m_source(source)
        , m_limits(limits)
        , m_rules(rules)
    {}

    std::vector<ZipMember> read()
    {
        findDirectory();
        std::vector<ZipMember> members = readEntries();
        std::vector<ByteRange> spans;
        for (ZipMember& member : members) {
            locate(member);
            spans.push_back({member.header, member.packed.offset + member.packed.bytes - member.header});
        }
        checkOverlap(spans);
        return members;
    }

    [[noreturn]] void refuseRepeated(const std::string& name) const
    {
        refuse("it has two entries called `" + printable(name) + "`");
    }

private:
    [[noreturn]] void refuse(const std::string& problem,
                             const char* remedy = "it is damaged; copy or download it again") const
    {
        throw FileError(m_source.name(), problem, remedy);
    }

    std::vector<std::byte> bytesAt(int64_t offset, int64_t count) const
    {
        if (offset < 0 || count < 0 || offset > m_source.size() - count)
            refuse("its zip directory points outside the file");
        std::vector<std::byte> bytes(static_cast<size_t>(count));
        m_source.read(offset, bytes);
        return bytes;
    }

    /// The end record must be at the end of a checkpoint: with a comment allowed, a file could contain two of them and be ambiguous. In other
    /// archives it is the last that has a comment up to the end of the file.
    int64_t findEnd() const
    {
        const int64_t last = m_source.size() - endBytes;
        const int64_t first = m_rules == ZipRules::Torch ? last : std::max<int64_t>(0, last - 0xffff);
        if (last >= 0) {
            const auto tail = bytesAt(first, m_source.size() - first);
            for (int64_t at = last; at >= first; --at) {
                const auto end = std::span(tail).subspan(size_t(at - first));
                if (field(end, 0, 4) == endMark && int64_t(field(end, 20, 2)) == last - at)
                    return at;
            }
        }
        refuse("its zip directory is missing, so it was cut off");
    }

    void findDirectory()
    {
        const int64_t at = findEnd();
        const auto end = bytesAt(at, endBytes);
        m_count = field(end, 10, 2);
        m_size = field(end, 12, 4);
        m_offset = field(end, 16, 4);
        m_directoryEnd = at;
        if (field(end, 4, 2) != 0 && field(end, 4, 2) != 0xffff)
            refuse("it is one volume of a multi-volume archive", "save it as a single file");
        readEnd64(at, end);
        checkDirectory();
    }

    /// The 64-bit end record; if both sizes are written they must agree, or two readers could see two archives.
    void readEnd64(int64_t endAt, const std::vector<std::byte>& end)
    {
        const bool needed = m_count == 0xffff || m_size == in64 || m_offset == in64;
        const int64_t locatorAt = endAt - locatorBytes;
        if (locatorAt < end64Bytes) {
            if (needed)
                refuse("its zip directory is missing, so it was cut off");
            return;
        }
        const auto locator = bytesAt(locatorAt, locatorBytes);
        if (field(locator, 0, 4) != locatorMark) {
            if (needed)
                refuse("its zip directory has no 64-bit part");
            return;
        }
        const int64_t at = locatorAt - end64Bytes;
        const auto end64 = bytesAt(at, end64Bytes);
        if (field(locator, 8, 8) != uint64_t(at) || field(end64, 0, 4) != end64Mark
            || field(end64, 4, 8) != end64Bytes - 12)
            refuse("its zip directory has a 64-bit part in the wrong place");
        m_directoryEnd = at;
        take64(field(end, 10, 2), 0xffff, field(end64, 32, 8), m_count);
        take64(field(end, 12, 4), in64, field(end64, 40, 8), m_size);
        take64(field(end, 16, 4), in64, field(end64, 48, 8), m_offset);
    }

    void take64(uint64_t small, uint64_t mark, uint64_t large, uint64_t& value) const
    {
        if (small != mark && small != large)
            refuse("its zip directory contradicts itself");
        value = large;
    }

    void checkDirectory() const
    {
        const auto end = uint64_t(m_directoryEnd);
        if (m_size > end || m_offset != end - m_size)
            refuse("its zip directory is not where it should be");
        if (m_count > uint64_t(m_limits.zipEntries))
            refuse("it has " + counted(m_count, "entry", "entries") + "; the limit is "
                   + std::to_string(m_limits.zipEntries));
        if (m_count > m_size / entryBytes || m_size > m_count * uint64_t(entryBytes + longestName))
            refuse("the size of its zip directory does not match its entries");
    }

    /// Reads the directory in blocks of 64 KiB, so that its claimed size costs nothing by itself.
    std::vector<ZipMember> readEntries() const
    {
        std::vector<ZipMember> entries;
        auto position = int64_t(m_offset);
        std::vector<std::byte> window;
        int64_t windowAt = position;
        const auto view = [&](int64_t count) {
            if (count > m_directoryEnd - position)
                refuse("its zip directory is truncated");
            if (position + count > windowAt + std::ssize(window)) {
                window = bytesAt(position, std::min(m_directoryEnd - position, std::max<int64_t>(count, 65'536)));
                windowAt = position;
            }
            return std::span<const std::byte>(window).subspan(size_t(position - windowAt), size_t(count));
        };
        for (uint64_t i = 0; i < m_count; ++i) {
            const auto fixed = view(entryBytes);
            const auto whole = int64_t(field(fixed, 28, 2) + field(fixed, 30, 2) + field(fixed, 32, 2))
                               + entryBytes;
            entries.push_back(readEntry(view(whole)));
            position += whole;
        }
        if (position != m_directoryEnd)
            refuse("the size of its zip directory does not match its entries");
        return entries;
    }

    ZipMember readEntry(std::span<const std::byte> record) const
    {
        if (field(record, 0, 4) != entryMark)
            refuse("its zip directory is damaged");
        ZipMember entry;
        const auto nameBytes = size_t(field(record, 28, 2));
        entry.name.assign(reinterpret_cast<const char*>(record.data()) + entryBytes, nameBytes);
        checkName(entry.name);
        const uint64_t method = field(record, 10, 2);
        checkStored(entry.name, field(record, 8, 2), method);
        const auto extra = record.subspan(size_t(entryBytes) + nameBytes, size_t(field(record, 30, 2)));
        uint64_t packed = field(record, 20, 4), bytes = field(record, 24, 4), header = field(record, 42, 4);
        readExtra(extra, bytes, packed, header);
        entry.deflated = method == deflate;
        if (entry.deflated ? bytes / largestRatio > packed : packed != bytes)
            refuse("its entry `" + printable(entry.name) + "` has two different sizes");
        if (header > m_offset || packed > m_offset || bytes > uint64_t(std::numeric_limits<int64_t>::max()))
            refuse("its entry `" + printable(entry.name) + "` lies outside the file");
        entry.bytes = int64_t(bytes);
        entry.packed.bytes = int64_t(packed);
        entry.header = int64_t(header);
        entry.crc32 = uint32_t(field(record, 16, 4));
        constexpr uint64_t unixSystem = 3, kind = 0170000, regular = 0100000;
        const uint64_t mode = field(record, 5, 1) == unixSystem ? field(record, 40, 2) & kind : 0;
        entry.isFile = !entry.name.ends_with('/') && (mode == 0 || mode == regular);
        return entry;
    }

    void checkName(const std::string& name) const
    {
        const bool climbs = name.starts_with('/') || name.find('\\') != std::string::npos
                            || ("/" + name + "/").find("/../") != std::string::npos;
        if (m_rules == ZipRules::Any && !name.empty() && !climbs && std::ssize(name) <= longestName)
            return;
        if (name.empty() || climbs || std::ssize(name) > longestName || printable(name) != name)
            refuse("it has an entry called `" + printable(name.substr(0, 80)) + "`"
                       + (m_rules == ZipRules::Any ? "" : ", which torch.save never writes"),
                   remedy());
    }

    const char* remedy() const { return m_rules == ZipRules::Any ? "pack the folder again" : resave; }

    void checkStored(const std::string& name, uint64_t flags, uint64_t method) const
    {
        const std::string entry = "its entry `" + printable(name) + "` ";
        if ((flags & 1) != 0)
            refuse(entry + "is encrypted", remedy());
        if ((flags & ~harmlessFlags) != 0)
            refuse(entry + "has flags that "
                       + (m_rules == ZipRules::Any ? "are not supported" : "torch.save never sets"),
                   remedy());
        if (m_rules == ZipRules::Torch && method != 0)
            refuse(entry + "is compressed, which torch.save never does", remedy());
        if (method != 0 && method != deflate)
            refuse(entry + "is compressed by another method than deflate", remedy());
    }

    /// Field 1 contains those of the three values, in this order, that did not fit 32 bits.
    void readExtra(std::span<const std::byte> extra, uint64_t& bytes, uint64_t& packed, uint64_t& offset) const
    {
        bool seen = false;
        while (extra.size() >= 4) {
            const uint64_t id = field(extra, 0, 2);
            const auto length = size_t(field(extra, 2, 2));
            if (length > extra.size() - 4)
                refuse("its zip directory is damaged");
            auto values = extra.subspan(4, length);
            extra = extra.subspan(4 + length);
            if (id != 1)
                continue;
            if (seen)
                refuse("its zip directory is damaged");
            seen = true;
            for (uint64_t* const value : {&bytes, &packed, &offset})
                if (*value == in64 && values.size() >= 8) {
                    *value = field(values, 0, 8);
                    values = values.subspan(8);
                }
        }
        if (bytes == in64 || packed == in64 || offset == in64)
            refuse("its zip directory lacks a 64-bit size");
    }

    /// The data follow the local header, whose name and sizes must match the directory.
    void locate(ZipMember& entry) const
    {
        const auto refuseEntry = [&](const char* problem) {
            refuse("its entry `" + printable(entry.name) + "` " + problem);
        };
        const auto limit = int64_t(m_offset);
        if (limit - entry.header < localBytes)
            refuseEntry("lies outside the file");
        const auto fixed = bytesAt(entry.header, localBytes);
        const uint64_t nameBytes = field(fixed, 26, 2), bytes = field(fixed, 22, 4);
        const bool flags = (field(fixed, 6, 2) & ~harmlessFlags) == 0;
        const bool size = bytes == uint64_t(entry.bytes) || bytes == in64
                          || (bytes == 0 && (field(fixed, 6, 2) & 8) != 0);
        if (field(fixed, 0, 4) != localMark || nameBytes != entry.name.size() || !size || !flags
            || field(fixed, 8, 2) != (entry.deflated ? deflate : 0))
            refuseEntry("is described in two ways");
        const auto name = bytesAt(entry.header + localBytes, int64_t(nameBytes));
        if (!std::equal(name.begin(), name.end(), std::as_bytes(std::span(entry.name)).begin()))
            refuseEntry("has two different names");
        entry.packed.offset = entry.header + localBytes + int64_t(nameBytes + field(fixed, 28, 2));
        if (entry.packed.offset > limit || entry.packed.bytes > limit - entry.packed.offset)
            refuseEntry("lies outside the file");
    }

    void checkOverlap(std::vector<ByteRange>& spans) const
    {
        std::ranges::sort(spans, [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
        for (size_t i = 1; i < spans.size(); ++i)
            if (spans[i].offset < spans[i - 1].offset + spans[i - 1].bytes)
                refuse("two of its entries overlap");
    }

    const ByteSource& m_source;
    const Limits& m_limits;
    ZipRules m_rules;
    uint64_t m_count = 0;
    uint64_t m_size = 0;
    uint64_t m_offset = 0;
    int64_t m_directoryEnd = 0;
};

}

std::map<std::string, ByteRange> readZipDirectory(const ByteSource& source, const Limits& limits)
{
    ZipReader reader(source, limits, ZipRules::Torch);
    std::map<std::string, ByteRange> ranges;
    for (const ZipMember& member : reader.read())
        if (!ranges.emplace(member.name, member.packed).second)
            reader.refuseRepeated(member.name);
    return ranges;
}

std::vector<ZipMember> readZipMembers(const ByteSource& source, const Limits& limits)
{
    return ZipReader(source, limits, ZipRules::Any).read();
}

}

#include "core/media/container/video_outline.h"

#include "core/base/checked.h"
#include "core/base/first_bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string_view>

namespace attnscope {

namespace {

using Bytes = std::span<const uint8_t>;
using namespace std::string_view_literals;

constexpr int maxParts = 65'536;
constexpr int maxOuterParts = 512;  // they are far apart, and each may cost a disk seek
constexpr int maxDepth = 8;

uint64_t bigEndian(Bytes bytes)
{
    return integerOf(bytes, std::endian::big);
}

class OutlineReader {
public:
    OutlineReader(const ReadAt& read, int64_t fileBytes)
        : m_read(read)
        , m_fileBytes(fileBytes)
    {}

    VideoOutline mov()
    {
        m_outline.lacksIndex = true;
        walkBoxes(0, m_fileBytes, 0);
        m_outline.lacksIndex = m_outline.lacksIndex && m_outerParts < maxOuterParts && m_parts < maxParts;
        return m_outline;
    }

    VideoOutline matroska()
    {
        walkElements(0, m_fileBytes, 0);
        return m_outline;
    }

    /// RIFF: the size of the first chunk; 0 if the recording was interrupted.
    VideoOutline avi()
    {
        const Bytes header = bytesAt(0, 8);
        const auto bytes = header.size() < 8 ? 0 : int64_t(integerOf(header.subspan(4, 4), std::endian::little));
        m_outline.breaksOff = bytes + 8 > m_fileBytes;
        return m_outline;
    }

    /// A GIF ends with a semicolon; some writers pad after it.
    VideoOutline gif()
    {
        const Bytes end = bytesAt(std::max<int64_t>(0, m_fileBytes - 16), 16);
        m_outline.breaksOff = std::ranges::find(end, 0x3b) == end.end();
        return m_outline;
    }

private:
    struct Part {
        uint64_t kind = 0;
        int64_t content = 0, end = 0;
    };

    Bytes bytesAt(int64_t at, size_t count)
    {
        return Bytes(m_buffer).first(m_read(at, std::span(m_buffer).first(count)));
    }

    static constexpr uint64_t box(std::string_view name)
    {
        uint64_t value = 0;
        for (const char c : name)
            value = value << 8 | uint8_t(c);
        return value;
    }

    /// Size and name, in 8 bytes or 16. A size of 0 means "to the end".
    std::optional<Part> boxAt(int64_t at, int64_t end)
    {
        const Bytes header = bytesAt(at, 16);
        if (header.size() < 8)
            return std::nullopt;
        uint64_t bytes = bigEndian(header.first(4));
        const int64_t headerBytes = bytes == 1 ? 16 : 8;
        if (bytes == 1)
            bytes = header.size() < 16 ? 0 : bigEndian(header.subspan(8, 8));
        else if (bytes == 0)
            return Part{bigEndian(header.subspan(4, 4)), at + 8, end};
        if (bytes < uint64_t(headerBytes) || bytes > INT64_MAX)
            return std::nullopt;
        const auto behind = checkedAdd(at, int64_t(bytes));
        if (!behind)
            return std::nullopt;
        return Part{bigEndian(header.subspan(4, 4)), at + headerBytes, *behind};
    }

    void walkBoxes(int64_t at, int64_t end, int depth)
    {
        while (at < end && m_parts++ < maxParts) {
            if (depth == 0 && ++m_outerParts >= maxOuterParts)
                return;
            const std::optional<Part> part = boxAt(at, end);
            if (!part || part->end > m_fileBytes) {
                // Nonsense in nested boxes is left to the demuxer to judge: padding is common.
                m_outline.breaksOff = m_outline.breaksOff || depth == 0;
                if (!part)
                    return;
            }
            lookAtBox(*part, depth);
            at = part->end;
        }
    }

    void lookAtBox(const Part& part, int depth)
    {
        constexpr std::array folders{box("moov"), box("trak"), box("mdia"), box("minf"),
                                     box("stbl"), box("moof"), box("traf")};
        if (part.kind == box("moov") || part.kind == box("moof"))
            m_outline.lacksIndex = false;
        if (part.kind == box("cmov"))
            m_outline.hasPackedIndex = true;
        if (part.kind == box("trak"))
            ++m_outline.streams;
        // Version and flags come first, in stsz and stz2 also a size common to all samples.
        if (part.kind == box("stsz") || part.kind == box("stz2"))
            claimSamples(part.content + 8);
        if (part.kind == box("trun"))
            claimSamples(part.content + 4);
        if (depth < maxDepth && std::ranges::find(folders, part.kind) != folders.end())
            walkBoxes(part.content, std::min(part.end, m_fileBytes), depth + 1);
    }

    void claimSamples(int64_t at)
    {
        const Bytes count = bytesAt(at, 4);
        if (count.size() == 4)
            m_outline.samples = std::max(m_outline.samples, int64_t(bigEndian(count)));
    }

    /// Identifier and length, each of a size given by its first byte. A length of all ones means "unknown".
    std::optional<Part> elementAt(int64_t at, int64_t end)
    {
        const Bytes header = bytesAt(at, 12);
        if (header.empty() || header[0] < 0x10)
            return std::nullopt;
        const auto idBytes = size_t(std::countl_zero(header[0])) + 1;
        if (header.size() <= idBytes || header[idBytes] == 0)
            return std::nullopt;
        const auto lengthBytes = size_t(std::countl_zero(header[idBytes])) + 1;
        if (header.size() < idBytes + lengthBytes)
            return std::nullopt;
        const uint64_t mask = (uint64_t{1} << (7 * lengthBytes)) - 1;
        const uint64_t bytes = bigEndian(header.subspan(idBytes, lengthBytes)) & mask;
        const int64_t content = at + int64_t(idBytes + lengthBytes);
        const auto behind = bytes == mask ? std::optional(end) : checkedAdd(content, int64_t(bytes));
        if (!behind)
            return std::nullopt;
        return Part{bigEndian(header.first(idBytes)), content, *behind};
    }

    void walkElements(int64_t at, int64_t end, int depth)
    {
        constexpr uint64_t segment = 0x18538067, tracks = 0x1654ae6b, track = 0xae, cluster = 0x1f43b675;
        while (at < end && m_parts++ < maxParts) {
            const std::optional<Part> part = elementAt(at, end);
            if (!part || part->kind == cluster)
                return;  // frames from here on, in thousands of elements
            if (part->kind == segment && part->end > m_fileBytes)
                m_outline.breaksOff = true;
            if (part->kind == track)
                ++m_outline.streams;
            if (depth < 2 && (part->kind == segment || part->kind == tracks))
                walkElements(part->content, std::min(part->end, m_fileBytes), depth + 1);
            at = part->end;
        }
    }

    const ReadAt& m_read;
    int64_t m_fileBytes;
    std::array<uint8_t, 16> m_buffer{};
    VideoOutline m_outline;
    int m_parts = 0, m_outerParts = 0;
};

}

VideoOutline outlineOf(const VideoContainer& container, const ReadAt& read, int64_t fileBytes)
{
    OutlineReader reader(read, fileBytes);
    if (container.name == "mov")
        return reader.mov();
    if (container.name == "avi")
        return reader.avi();
    if (container.name == "matroska")
        return reader.matroska();
    if (container.name == "gif")
        return reader.gif();
    return {};
}

}

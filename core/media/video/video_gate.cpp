// SPDX-License-Identifier: Apache-2.0
#include "core/media/video/video_gate.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/media/image_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace attnscope {

namespace {

using Bytes = std::span<const std::uint8_t>;
using namespace std::string_view_literals;

constexpr std::array containers{
    VideoContainer{"mov", "MP4 or QuickTime", "mov"},
    VideoContainer{"matroska", "Matroska or WebM", "matroska"},
    VideoContainer{"avi", "AVI", "avi"},
    VideoContainer{"mpegts", "MPEG transport stream", "mpegts"},
    VideoContainer{"mpeg", "MPEG programme stream", "mpeg"},
    VideoContainer{"flv", "Flash video", "flv"},
    VideoContainer{"ogg", "Ogg", "ogg"},
    VideoContainer{"asf", "Windows Media (ASF)", "asf"},
    VideoContainer{"gif", "GIF", "gif"},
};

const VideoContainer* named(std::string_view name)
{
    return std::find_if(containers.begin(), containers.end(),
                        [&](const VideoContainer& c) { return c.name == name; });
}

bool hasText(Bytes bytes, std::size_t at, std::string_view text)
{
    return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

std::uint64_t bigEndian(Bytes bytes)
{
    std::uint64_t value = 0;
    for (const std::uint8_t byte : bytes)
        value = value << 8 | byte;
    return value;
}

std::uint64_t littleEndian(Bytes bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

/// The first box of the files that cameras, phones and encoders write.
bool isMov(Bytes start)
{
    constexpr std::array boxes{"ftyp"sv, "moov"sv, "mdat"sv, "free"sv, "skip"sv,
                               "wide"sv, "pnot"sv, "styp"sv, "moof"sv, "uuid"sv};
    return std::any_of(boxes.begin(), boxes.end(), [&](std::string_view box) { return hasText(start, 4, box); });
}

/// The byte 0x47 stands at the start of each packet of 188 bytes; some recorders add 4 bytes before or 16 behind.
/// A recording may begin in the middle of a packet.
bool isTransportStream(Bytes start)
{
    constexpr std::size_t packetsNeeded = 5;
    for (const std::size_t packet : {188U, 192U, 204U})
        for (std::size_t first = 0; first < packet && first + (packetsNeeded - 1) * packet < start.size();
             ++first) {
            std::size_t at = first;
            while (at < start.size() && start[at] == 0x47)
                at += packet;
            if (at >= start.size())
                return true;
        }
    return false;
}

constexpr auto asfSignature = "\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c"sv;

std::string knownTitles()
{
    std::vector<std::string_view> titles;
    for (const VideoContainer& container : containers)
        titles.push_back(container.title);
    return fmt::format("{}", fmt::join(titles, ", "));
}

class OutlineReader {
public:
    OutlineReader(const ReadAt& read, std::int64_t fileBytes)
        : m_read(read)
        , m_fileBytes(fileBytes)
    {}

    VideoOutline mov()
    {
        VideoOutline outline{false, true};
        constexpr int mostBoxes = 4096;
        std::int64_t at = 0;
        for (int box = 0; box < mostBoxes && at < m_fileBytes; ++box) {
            const Bytes header = bytesAt(at, 16);
            if (header.size() < 8)
                return {true, outline.lacksIndex};
            if (hasText(header, 4, "moov") || hasText(header, 4, "moof"))
                outline.lacksIndex = false;
            const std::optional<std::int64_t> next = behindBox(header, at);
            if (!next || *next > m_fileBytes)
                return {true, outline.lacksIndex};
            at = *next;
        }
        if (at < m_fileBytes)
            outline.lacksIndex = false;  // not known: there are more boxes than were looked at
        return outline;
    }

    /// RIFF of AVI: the size of the first part, little-endian; 0 where a recorder was cut off.
    VideoOutline riff()
    {
        const Bytes header = bytesAt(0, 8);
        const auto bytes = header.size() < 8 ? 0 : static_cast<std::int64_t>(littleEndian(header.subspan(4, 4)));
        return {bytes + 8 > m_fileBytes, false};
    }

    /// EBML: the header element, then the segment that holds everything; all ones is "as long as it gets".
    VideoOutline ebml()
    {
        const std::optional<std::int64_t> header = behindElement(0, 4);
        const std::optional<std::int64_t> segment = header ? behindElement(*header, 4) : std::nullopt;
        return {segment && *segment > m_fileBytes, false};
    }

    /// A GIF ends with a semicolon; some writers pad behind it.
    VideoOutline gif()
    {
        const Bytes end = bytesAt(std::max<std::int64_t>(0, m_fileBytes - 16), 16);
        return {std::find(end.begin(), end.end(), 0x3b) == end.end(), false};
    }

private:
    Bytes bytesAt(std::int64_t at, std::size_t count)
    {
        return Bytes(m_buffer).first(m_read(at, std::span(m_buffer).first(count)));
    }

    /// Empty on a size that cannot be.
    std::optional<std::int64_t> behindBox(Bytes header, std::int64_t at) const
    {
        std::uint64_t bytes = bigEndian(header.first(4));
        if (bytes == 0)
            return m_fileBytes;
        if (bytes == 1)
            bytes = header.size() < 16 ? 0 : bigEndian(header.subspan(8, 8));
        if (bytes < 8 || bytes > INT64_MAX)
            return std::nullopt;
        return checkedAdd(at, static_cast<std::int64_t>(bytes));
    }

    std::optional<std::int64_t> behindElement(std::int64_t at, std::size_t idBytes)
    {
        const Bytes header = bytesAt(at, idBytes + 8);
        if (header.size() <= idBytes || header[idBytes] == 0)
            return std::nullopt;
        const int length = std::countl_zero(header[idBytes]) + 1;
        if (header.size() < idBytes + static_cast<std::size_t>(length))
            return std::nullopt;
        const std::uint64_t mask = (std::uint64_t{1} << (7 * length)) - 1;
        const std::uint64_t bytes = bigEndian(header.subspan(idBytes, static_cast<std::size_t>(length))) & mask;
        if (bytes == mask)
            return m_fileBytes;
        return checkedAdd(at + static_cast<std::int64_t>(idBytes) + length, static_cast<std::int64_t>(bytes));
    }

    const ReadAt& m_read;
    std::int64_t m_fileBytes;
    std::array<std::uint8_t, 16> m_buffer{};
};

}  // namespace

std::span<const VideoContainer> videoContainers()
{
    return containers;
}

const VideoContainer* sniffVideo(Bytes start)
{
    if (isMov(start))
        return named("mov");
    if (hasText(start, 0, "\x1a\x45\xdf\xa3"))
        return named("matroska");
    if (hasText(start, 0, "RIFF") && (hasText(start, 8, "AVI ") || hasText(start, 8, "AVIX")))
        return named("avi");
    if (hasText(start, 0, "\0\0\x01\xba"sv))
        return named("mpeg");
    if (hasText(start, 0, "FLV\x01"))
        return named("flv");
    if (hasText(start, 0, "OggS"))
        return named("ogg");
    if (hasText(start, 0, asfSignature))
        return named("asf");
    if (hasText(start, 0, "GIF87a") || hasText(start, 0, "GIF89a"))
        return named("gif");
    if (isTransportStream(start))
        return named("mpegts");
    return nullptr;
}

const VideoContainer& checkVideoSignature(Bytes start, const std::string& name)
{
    if (start.empty())
        throw FileError(name, "the file is empty", "copy or download it again");
    if (const VideoContainer* container = sniffVideo(start))
        return *container;
    if (const auto picture = sniffImage(start))
        throw FileError(name, fmt::format("this is a picture ({}), not a video", imageFormatName(*picture)));
    throw FileError(
        name, fmt::format("this is no video in a format of our list (it starts with {})", quotedStart(start)),
        "the list: " + knownTitles());
}

VideoOutline outlineOf(const VideoContainer& container, const ReadAt& read, std::int64_t fileBytes)
{
    OutlineReader reader(read, fileBytes);
    if (container.name == "mov")
        return reader.mov();
    if (container.name == "avi")
        return reader.riff();
    if (container.name == "matroska")
        return reader.ebml();
    if (container.name == "gif")
        return reader.gif();
    return {};
}

}  // namespace attnscope

#include "core/media/container/video_validator.h"

#include "core/base/error.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace attnscope {

namespace {

using Bytes = std::span<const uint8_t>;
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
    return std::ranges::find_if(containers, [&](const VideoContainer& c) { return c.name == name; });
}

/// The first box of files written by cameras, phones and encoders.
bool isMov(Bytes start)
{
    constexpr std::array boxes{"ftyp"sv, "moov"sv, "mdat"sv, "free"sv, "skip"sv,
                               "wide"sv, "pnot"sv, "styp"sv, "moof"sv, "uuid"sv};
    return std::ranges::any_of(boxes, [&](std::string_view box) { return hasText(start, 4, box); })
           && unreadImageFormat(start).empty();  // AVIF and HEIC are still images in the same boxes
}

/// Each packet of 188 bytes starts with the byte 0x47; some recorders add 4 bytes before it or 16 after it. A recording may start in the
/// middle of a packet.
bool isTransportStream(Bytes start)
{
    constexpr size_t packetsNeeded = 5;
    for (const size_t packet : {188U, 192U, 204U})
        for (size_t first = 0; first < packet && first + (packetsNeeded - 1) * packet < start.size(); ++first) {
            size_t at = first;
            while (at < start.size() && start[at] == 0x47)
                at += packet;
            if (at >= start.size())
                return true;
        }
    return false;
}

/// How files of a container start.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> signatures{{
    {"\x1a\x45\xdf\xa3", "matroska"},
    {"\0\0\x01\xba"sv, "mpeg"},
    {"FLV\x01", "flv"},
    {"OggS", "ogg"},
    {"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c"sv, "asf"},
    {"GIF87a", "gif"},
    {"GIF89a", "gif"},
}};

std::string knownTitles()
{
    std::vector<std::string_view> titles;
    for (const VideoContainer& container : containers)
        titles.push_back(container.title);
    return fmt::format("{}", fmt::join(titles, ", "));
}

}

std::span<const VideoContainer> videoContainers()
{
    return containers;
}

const VideoContainer* sniffVideo(Bytes start)
{
    if (isMov(start))
        return named("mov");
    if (hasText(start, 0, "RIFF") && (hasText(start, 8, "AVI ") || hasText(start, 8, "AVIX")))
        return named("avi");
    for (const auto& [signature, name] : signatures)
        if (hasText(start, 0, signature))
            return named(name);
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
    if (const auto image = sniffImage(start))
        throw FileError(name, fmt::format("this is an image ({}), not a video", imageFormatName(*image)));
    if (const std::string_view image = unreadImageFormat(start); !image.empty())
        throw FileError(name, fmt::format("this is an image ({}), not a video", image));
    throw FileError(
        name, fmt::format("this is not a video in a supported format (it starts with {})", quotedStart(start)),
        "supported formats: " + knownTitles());
}

}

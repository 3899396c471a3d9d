#include "core/media/format/image_validator.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

using Bytes = std::span<const uint8_t>;

bool isPnm(Bytes bytes)
{
    constexpr std::string_view after = " \t\r\n\v\f#";
    return bytes.size() >= 3 && bytes[0] == 'P'
           && ((bytes[1] >= '1' && bytes[1] <= '6') || bytes[1] == 'f' || bytes[1] == 'F')
           && after.find(char(bytes[2])) != std::string_view::npos;
}

/// Many texts start with "BM" too, so the size of the second header is checked against the few valid ones.
bool isBmp(Bytes bytes)
{
    constexpr std::array<uint8_t, 7> headerSizes{12, 40, 52, 56, 64, 108, 124};
    return hasText(bytes, 0, "BM") && bytes.size() >= 18 && bytes[15] == 0 && bytes[16] == 0 && bytes[17] == 0
           && std::ranges::find(headerSizes, bytes[14]) != headerSizes.end();
}

bool isTiff(Bytes bytes)
{
    using namespace std::string_view_literals;
    constexpr std::array starts{"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
    return std::ranges::any_of(starts, [&](std::string_view start) { return hasText(bytes, 0, start); });
}

/// A still image in MP4 boxes, recognised by the brands in its first box, of which the first is the most telling. Sequences ("avis",
/// "hevc") are videos.
std::string_view stillFormat(Bytes bytes)
{
    if (!hasText(bytes, 4, "ftyp") || bytes.size() < 12)
        return {};
    constexpr std::array heifBrands{"heic", "heix", "heim", "heis", "mif1", "mif2", "avci", "miaf"};
    if (hasText(bytes, 8, "avif"))
        return "AVIF";
    if (std::ranges::none_of(heifBrands, [&](const char* brand) { return hasText(bytes, 8, brand); }))
        return {};
    const size_t end = std::min<size_t>(bytes.size(), size_t{bytes[2]} << 8 | bytes[3]);
    for (size_t at = 16; at + 4 <= end; at += 4)
        if (hasText(bytes, at, "avif"))
            return "AVIF";
    return "HEIC";
}

struct ImageKind {
    ImageFormat format;
    std::string_view name;
    bool (*begins)(Bytes bytes);
    ImageHeader (*read)(const HeaderReader& file);
};

/// In the order of ImageFormat.
constexpr std::array<ImageKind, 6> imageKinds{{
    {ImageFormat::Jpeg, "JPEG", [](Bytes bytes) { return hasText(bytes, 0, "\xff\xd8\xff"); }, readJpegHeader},
    {ImageFormat::Png, "PNG", [](Bytes bytes) { return hasText(bytes, 0, "\x89PNG\r\n\x1a\n"); }, readPngHeader},
    {ImageFormat::Webp, "WebP", [](Bytes bytes) { return hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP"); },
     readWebpHeader},
    {ImageFormat::Bmp, "BMP", isBmp, readBmpHeader},
    {ImageFormat::Pnm, "PNM", isPnm, readPnmHeader},
    {ImageFormat::Tiff, "TIFF", isTiff, readTiffHeader},
}};

const ImageKind& kindOf(ImageFormat format)
{
    return imageKinds[size_t(format)];
}

}

std::string quotedStart(Bytes bytes)
{
    const Bytes start = bytes.first(std::min<size_t>(bytes.size(), 16));
    const auto isText = [](uint8_t c) { return c >= 0x20 && c < 0x7f; };
    const auto end = std::ranges::find_if_not(start, isText);
    const bool lineEnds = end == start.end() || *end == '\n' || *end == '\r';
    if (end != start.begin() && lineEnds)
        return fmt::format("\"{}\"", std::string(start.begin(), end));
    return fmt::format("bytes {:02x}", fmt::join(start.first(std::min<size_t>(start.size(), 8)), " "));
}

std::string_view imageFormatName(ImageFormat format)
{
    return kindOf(format).name;
}

std::optional<ImageFormat> sniffImage(Bytes bytes)
{
    for (const ImageKind& kind : imageKinds)
        if (kind.begins(bytes))
            return kind.format;
    return std::nullopt;
}

std::string_view unreadImageFormat(Bytes bytes)
{
    using namespace std::string_view_literals;
    if (hasText(bytes, 0, "\xff\x0a") || hasText(bytes, 0, "\0\0\0\x0cJXL "sv))
        return "JPEG XL";
    if (hasText(bytes, 0, "\0\0\0\x0cjP  "sv) || hasText(bytes, 0, "\xff\x4f\xff\x51"))
        return "JPEG 2000";
    return stillFormat(bytes);
}

ImageFormat checkSignature(Bytes start, const std::string& name)
{
    if (start.empty())
        throw FileError(name, "the file is empty", "copy or download it again");
    if (hasText(start, 128, "DICM"))
        throw FileError(name, "it is marked as a DICOM file (\"DICM\" at byte 128)",
                        "export the image as PNG or JPEG");
    const std::optional<ImageFormat> format = sniffImage(start);
    if (const std::string_view other = unreadImageFormat(start); !other.empty())
        throw FileError(name, fmt::format("it is an image in the format {}, which is not supported", other),
                        "save it as PNG or JPEG");
    if (hasText(start, 0, "GIF8"))
        throw FileError(name, "it is a GIF, which is read as a video only",
                        "save its first frame as PNG, or give it where videos are read");
    if (!format)
        throw FileError(name,
                        fmt::format("this is not a JPEG, PNG, WebP, BMP, PNM or TIFF file (it starts with {})",
                                    quotedStart(start)));
    return *format;
}

ImageHeader inspectImage(Bytes bytes, const std::string& name, const Limits& limits)
{
    if (int64_t(bytes.size()) > limits.imageBytes)
        throw FileError(name, fmt::format("the file has {}", formatBytes(int64_t(bytes.size())).text()),
                        fmt::format("the limit for an image is {}", formatBytes(limits.imageBytes).text()));
    const HeaderReader file(bytes, name, limits);
    return kindOf(checkSignature(bytes, name)).read(file);
}

}

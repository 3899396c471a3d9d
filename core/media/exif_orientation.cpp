// SPDX-License-Identifier: Apache-2.0
#include "core/media/exif_orientation.h"

#include "core/media/byte_reader.h"

#include <cstring>
#include <optional>
#include <string_view>

namespace attnscope {

namespace {

constexpr int upright = 1;

/// The TIFF structure inside EXIF: header, then one directory of 12-byte entries.
int orientationOfTiff(std::span<const std::uint8_t> tiff)
{
    const ByteReader reader(tiff);
    const bool little = reader.startsWith(0, "II");
    if (!little && !reader.startsWith(0, "MM"))
        return upright;
    const auto read = [&](std::size_t at, int bytes) { return little ? reader.little(at, bytes) : reader.big(at, bytes); };
    const auto directory = read(4, 4);
    const auto count = directory ? read(*directory, 2) : std::nullopt;
    for (std::uint64_t i = 0; count && i < *count; ++i) {
        const std::size_t entry = *directory + 2 + 12 * i;
        const auto tag = read(entry, 2), type = read(entry + 2, 2), value = read(entry + 8, 2);
        if (!tag || !type || !value)
            return upright;
        if (*tag == 0x0112)
            return *type == 3 && *value >= 1 && *value <= 8 ? static_cast<int>(*value) : upright;
    }
    return upright;
}

/// `EXIF\0\0` may stand before the TIFF structure.
int orientationOfBlock(std::span<const std::uint8_t> block)
{
    return ByteReader(block).startsWith(0, {"Exif\0\0", 6}) ? orientationOfTiff(block.subspan(6)) : orientationOfTiff(block);
}

int jpegOrientation(std::span<const std::uint8_t> file)
{
    const ByteReader reader(file);
    for (std::size_t at = 2; at + 4 <= file.size();) {
        const auto marker = reader.big(at, 2), length = reader.big(at + 2, 2);
        if (!marker || !length || (*marker >> 8) != 0xff || *marker == 0xffda || *length < 2 || at + 2 + *length > file.size())
            return upright;
        if (*marker == 0xffe1 && reader.startsWith(at + 4, {"Exif\0\0", 6}))
            return orientationOfBlock(file.subspan(at + 4, *length - 2));
        at += 2 + *length;
    }
    return upright;
}

int pngOrientation(std::span<const std::uint8_t> file)
{
    const ByteReader reader(file);
    for (std::size_t at = 8; at + 12 <= file.size();) {
        const auto length = reader.big(at, 4);
        if (!length || *length > file.size() - at - 12)
            return upright;
        if (reader.startsWith(at + 4, "eXIf"))
            return orientationOfBlock(file.subspan(at + 8, *length));
        at += 12 + *length;
    }
    return upright;
}

int webpOrientation(std::span<const std::uint8_t> file)
{
    const ByteReader reader(file);
    for (std::size_t at = 12; at + 8 <= file.size();) {
        const auto length = reader.little(at + 4, 4);
        if (!length || *length > file.size() - at - 8)
            return upright;
        if (reader.startsWith(at, "EXIF"))
            return orientationOfBlock(file.subspan(at + 8, *length));
        at += 8 + *length + (*length & 1);
    }
    return upright;
}

}  // namespace

int exifOrientation(std::span<const std::uint8_t> file)
{
    const ByteReader reader(file);
    if (reader.startsWith(0, "\xff\xd8"))
        return jpegOrientation(file);
    if (reader.startsWith(0, "\x89PNG"))
        return pngOrientation(file);
    if (reader.startsWith(0, "RIFF") && reader.startsWith(8, "WEBP"))
        return webpOrientation(file);
    return upright;
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// Pictures made byte by byte, good and hostile ones.
namespace picture {

using Bytes = std::vector<std::uint8_t>;

inline Bytes text(std::string_view characters)
{
    return {characters.begin(), characters.end()};
}

inline Bytes& append(Bytes& to, const Bytes& more)
{
    to.insert(to.end(), more.begin(), more.end());
    return to;
}

inline Bytes joined(std::initializer_list<Bytes> parts)
{
    Bytes all;
    for (const Bytes& part : parts)
        append(all, part);
    return all;
}

inline Bytes number(std::uint64_t value, int bytes, bool bigEndian)
{
    Bytes result;
    for (int i = 0; i < bytes; ++i)
        result.push_back(std::uint8_t(value >> (8 * (bigEndian ? bytes - 1 - i : i))));
    return result;
}
inline Bytes big16(std::uint64_t value) { return number(value, 2, true); }
inline Bytes big32(std::uint64_t value) { return number(value, 4, true); }
inline Bytes little16(std::uint64_t value) { return number(value, 2, false); }
inline Bytes little24(std::uint64_t value) { return number(value, 3, false); }
inline Bytes little32(std::uint64_t value) { return number(value, 4, false); }

inline Bytes file(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::uint32_t crc32(const Bytes& bytes)
{
    std::uint32_t crc = ~0u;
    for (const std::uint8_t byte : bytes) {
        crc ^= byte;
        for (int i = 0; i < 8; ++i)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

inline Bytes pngChunk(std::string_view type, const Bytes& data)
{
    const Bytes body = joined({text(type), data});
    return joined({big32(data.size()), body, big32(crc32(body))});
}

inline Bytes pngStart(std::uint32_t width, std::uint32_t height)
{
    return joined({text("\x89PNG\r\n\x1a\n"),
                   pngChunk("IHDR", joined({big32(width), big32(height), {8, 2, 0, 0, 0}}))});
}

/// Header and one empty data chunk: nothing to decode.
inline Bytes emptyPng(std::uint32_t width, std::uint32_t height)
{
    return joined({pngStart(width, height), pngChunk("IDAT", {}), pngChunk("IEND", {})});
}

inline Bytes jpegHeader(std::uint32_t width, std::uint32_t height)
{
    return joined({{0xff, 0xd8, 0xff, 0xc0}, big16(17), {8}, big16(height), big16(width),
                   {3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1}, {0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 0xff, 0xd9}});
}

inline Bytes webp(const Bytes& chunks)
{
    return joined({text("RIFF"), little32(chunks.size() + 4), text("WEBP"), chunks});
}

inline Bytes extendedWebp(std::uint32_t width, std::uint32_t height, std::uint8_t flags)
{
    return webp(joined({text("VP8X"), little32(10), {flags, 0, 0, 0}, little24(width - 1), little24(height - 1)}));
}

inline Bytes bmp(std::int32_t width, std::int32_t height, int bits, const Bytes& pixels, std::uint32_t compression = 0)
{
    return joined({text("BM"), little32(54 + pixels.size()), little32(0), little32(54), little32(40),
                   little32(std::uint32_t(width)), little32(std::uint32_t(height)), little16(1), little16(bits),
                   little32(compression), little32(pixels.size()), little32(0), little32(0), little32(0), little32(0), pixels});
}

struct Tiff {
    bool bigEndian = false;
    std::uint32_t width = 1, height = 1, channels = 3, bits = 8, photometric = 2;
    std::uint32_t orientation = 0;   ///< 0: no tag
    std::uint32_t extraSamples = 0;  ///< 0: no tag
    std::uint32_t compression = 1;
    std::uint32_t next = 0;          ///< offset of the next directory
    Bytes pixels;

    Bytes bytes() const
    {
        const std::uint32_t dataAt = 8, directory = 8 + std::uint32_t(pixels.size()) + pixels.size() % 2;
        Bytes entries;
        std::uint32_t count = 0;
        const auto add = [&](std::uint32_t tag, int type, std::uint32_t value) {
            append(entries, joined({number(tag, 2, bigEndian), number(std::uint64_t(type), 2, bigEndian), number(1, 4, bigEndian)}));
            append(entries, type == 3 ? joined({number(value, 2, bigEndian), {0, 0}}) : number(value, 4, bigEndian));
            ++count;
        };
        add(256, 4, width);
        add(257, 4, height);
        add(258, 3, bits);
        add(259, 3, compression);
        add(262, 3, photometric);
        add(273, 4, dataAt);
        if (orientation != 0)
            add(274, 3, orientation);
        add(277, 3, channels);
        add(278, 4, height);
        add(279, 4, std::uint32_t(pixels.size()));
        if (extraSamples != 0)
            add(338, 3, extraSamples);
        return joined({text(bigEndian ? std::string_view("MM\0*", 4) : std::string_view("II*\0", 4)),
                       number(directory, 4, bigEndian), pixels, Bytes(pixels.size() % 2), number(count, 2, bigEndian), entries,
                       number(next, 4, bigEndian)});
    }
};

/// 128 bytes that begin with `prefix`, then DICM and one byte: ends a process that hands it to OpenCV's DICOM decoder.
inline Bytes dicom(const Bytes& prefix)
{
    Bytes all = prefix;
    all.resize(128);
    return joined({all, text("DICMA")});
}

}  // namespace picture

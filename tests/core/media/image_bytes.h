#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Images made byte by byte, good and hostile ones.
namespace image {

using Bytes = std::vector<uint8_t>;

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

inline Bytes number(uint64_t value, int bytes, bool bigEndian)
{
    Bytes result;
    for (int i = 0; i < bytes; ++i)
        result.push_back(uint8_t(value >> (8 * (bigEndian ? bytes - 1 - i : i))));
    return result;
}
inline Bytes big16(uint64_t value)
{
    return number(value, 2, true);
}
inline Bytes big32(uint64_t value)
{
    return number(value, 4, true);
}
inline Bytes little16(uint64_t value)
{
    return number(value, 2, false);
}
inline Bytes little24(uint64_t value)
{
    return number(value, 3, false);
}
inline Bytes little32(uint64_t value)
{
    return number(value, 4, false);
}

inline Bytes file(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline uint32_t crc32(const Bytes& bytes)
{
    uint32_t crc = ~0u;
    for (const uint8_t byte : bytes) {
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

inline Bytes pngStart(uint32_t width, uint32_t height)
{
    return joined(
        {text("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", joined({big32(width), big32(height), {8, 2, 0, 0, 0}}))});
}

/// Header and one empty data chunk: nothing to decode.
inline Bytes emptyPng(uint32_t width, uint32_t height)
{
    return joined({pngStart(width, height), pngChunk("IDAT", {}), pngChunk("IEND", {})});
}

inline Bytes jpegHeader(uint32_t width, uint32_t height)
{
    return joined({{0xff, 0xd8, 0xff, 0xc0},
                   big16(17),
                   {8},
                   big16(height),
                   big16(width),
                   {3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1},
                   {0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 0xff, 0xd9}});
}

inline Bytes webp(const Bytes& chunks)
{
    return joined({text("RIFF"), little32(chunks.size() + 4), text("WEBP"), chunks});
}

inline Bytes extendedWebp(uint32_t width, uint32_t height, uint8_t flags)
{
    return webp(joined({text("VP8X"), little32(10), {flags, 0, 0, 0}, little24(width - 1), little24(height - 1)}));
}

inline Bytes bmp(int32_t width, int32_t height, int bits, const Bytes& pixels, uint32_t compression = 0)
{
    return joined({text("BM"), little32(54 + pixels.size()), little32(0), little32(54), little32(40),
                   little32(uint32_t(width)), little32(uint32_t(height)), little16(1), little16(bits),
                   little32(compression), little32(pixels.size()), little32(0), little32(0), little32(0),
                   little32(0), pixels});
}

/// A BMP whose header of `headerBytes` ends with `more` (masks, which those of 40 bytes have behind it), then its palette and its rows.
struct Bmp {
    int32_t width = 1, height = 1;
    int bits = 24;
    uint32_t compression = 0;
    uint32_t headerBytes = 40;
    Bytes more, palette, rows;
    uint32_t colours = 0;
    int64_t dataAt = -1;  ///< what the file says; -1: where they are

    Bytes bytes() const
    {
        const Bytes front = joined({little32(headerBytes), little32(uint32_t(width)), little32(uint32_t(height)),
                                    little16(1), little16(uint64_t(bits)), little32(compression),
                                    little32(rows.size()), little32(0), little32(0), little32(colours),
                                    little32(0), more, palette});
        const uint64_t at = dataAt >= 0 ? uint64_t(dataAt) : 14 + front.size();
        return joined(
            {text("BM"), little32(14 + front.size() + rows.size()), little32(0), little32(at), front, rows});
    }
};

/// A TIFF or BigTIFF of one block, the pixels as they are. A tag of `tags` replaces that of the same number; without numbers it goes.
struct Tiff {
    bool bigEndian = false;
    uint32_t width = 1, height = 1, channels = 3, bits = 8, photometric = 2;
    uint32_t orientation = 0;   ///< 0: no tag
    uint32_t extraSamples = 0;  ///< 0: no tag
    uint32_t compression = 1;
    uint32_t next = 0;  ///< offset of the next directory
    Bytes pixels;
    bool large = false;  ///< BigTIFF
    std::map<uint32_t, std::vector<uint64_t>> tags;

    uint32_t dataAt() const { return large ? 16 : 8; }

    Bytes bytes() const
    {
        std::map<uint32_t, std::vector<uint64_t>> all{
            {256, {width}},    {257, {height}},   {258, {bits}},   {259, {compression}},  {262, {photometric}},
            {273, {dataAt()}}, {277, {channels}}, {278, {height}}, {279, {pixels.size()}}};
        if (orientation != 0)
            all[274] = {orientation};
        if (extraSamples != 0)
            all[338] = {extraSamples};
        for (const auto& [tag, numbers] : tags)
            all[tag] = numbers;
        std::erase_if(all, [](const auto& entry) { return entry.second.empty(); });
        const size_t word = large ? 8 : 4, entryBytes = large ? 20 : 12;
        const size_t directory = dataAt() + pixels.size() + pixels.size() % 2;
        const size_t arraysAt = directory + (large ? 8 : 2) + all.size() * entryBytes + word;
        Bytes entries, arrays;
        for (const auto& [tag, numbers] : all) {
            const int numberBytes = std::set<uint32_t>{256, 257, 273, 278, 279, 322, 323, 324, 325}.contains(tag)
                                        ? 4
                                        : 2;
            Bytes values;
            for (const uint64_t value : numbers)
                append(values, number(value, numberBytes, bigEndian));
            append(entries, joined({number(tag, 2, bigEndian), number(numberBytes == 4 ? 4 : 3, 2, bigEndian),
                                    number(numbers.size(), int(word), bigEndian)}));
            if (values.size() > word) {
                append(entries, number(arraysAt + arrays.size(), int(word), bigEndian));
                append(arrays, values);
            } else {
                values.resize(word);
                append(entries, values);
            }
        }
        const Bytes mark = joined({text(bigEndian ? "MM" : "II"), number(large ? 43 : 42, 2, bigEndian)});
        const Bytes front = large ? joined({mark, number(8, 2, bigEndian), number(0, 2, bigEndian),
                                            number(directory, 8, bigEndian)})
                                  : joined({mark, number(directory, 4, bigEndian)});
        return joined({front, pixels, Bytes(pixels.size() % 2), number(all.size(), large ? 8 : 2, bigEndian),
                       entries, number(next, int(word), bigEndian), arrays});
    }
};

/// A frame of a still WebP's chunks (what stands behind its first twelve bytes) on a canvas; VP8X is left out of it.
inline Bytes animatedWebp(const Bytes& still, uint32_t width, uint32_t height, uint32_t left, uint32_t top,
                          uint32_t canvasWidth, uint32_t canvasHeight)
{
    const Bytes frame = joined({little24(left / 2),
                                little24(top / 2),
                                little24(width - 1),
                                little24(height - 1),
                                little24(100),
                                {0},
                                Bytes(still.begin() + 12, still.end())});
    const Bytes part = joined({text("ANMF"), little32(frame.size()), frame, Bytes(frame.size() % 2)});
    const Bytes front = joined(
        {text("VP8X"), little32(10), {2, 0, 0, 0}, little24(canvasWidth - 1), little24(canvasHeight - 1)});
    return webp(joined({front, text("ANIM"), little32(6), Bytes(6), part, part}));
}

/// 128 bytes that begin with `prefix`, then DICM and one byte: ends a process that hands it to OpenCV's DICOM decoder.
inline Bytes dicom(const Bytes& prefix)
{
    Bytes all = prefix;
    all.resize(128);
    return joined({all, text("DICMA")});
}

}

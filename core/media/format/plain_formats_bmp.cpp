#include "core/media/format/plain_formats.h"

#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <vector>

namespace attnscope {

namespace {

enum BmpCompression : uint32_t { Plain = 0, RunLength8 = 1, RunLength4 = 2, BitFields = 3 };

constexpr int64_t fileHeaderBytes = 14;
using BmpMasks = std::array<uint32_t, 3>;  // red, green, blue

struct BmpLayout {
    int64_t headerBytes = 0;
    int64_t width = 0, height = 0;
    bool fromTop = false;
    uint32_t bits = 0;
    uint32_t compression = Plain;
    int64_t colours = 0;  ///< of the palette
    BmpMasks masks{};     ///< of pixels without a palette
    int64_t data = 0;

    bool isRunLength() const { return compression == RunLength8 || compression == RunLength4; }
    bool hasPalette() const { return bits <= 8; }
    int64_t paletteAt() const { return fileHeaderBytes + headerBytes; }
    int64_t paletteStep() const { return headerBytes == 12 ? 3 : 4; }
    int64_t rowBytes() const { return (width * bits + 31) / 32 * 4; }
    /// The padding of the last row may be missing.
    int64_t dataBytes() const { return rowBytes() * (height - 1) + (width * bits + 7) / 8; }
};

bool isKnownBmp(const BmpLayout& layout)
{
    const uint32_t bits = layout.bits;
    const bool indexed = bits == 1 || bits == 4 || bits == 8, masked = bits == 16 || bits == 24 || bits == 32;
    return (layout.compression == Plain && (indexed || masked)) || (layout.compression == RunLength8 && bits == 8)
           || (layout.compression == RunLength4 && bits == 4) || (layout.compression == BitFields && masked);
}

bool isRunOfBits(uint32_t mask)
{
    const uint32_t value = mask == 0 ? 0 : mask >> std::countr_zero(mask);
    return mask != 0 && (value & (value + 1)) == 0;
}

BmpMasks usualBmpMasks(uint32_t bits)
{
    return bits == 16 ? BmpMasks{0x7c00, 0x03e0, 0x001f} : BmpMasks{0xff0000, 0x00ff00, 0x0000ff};
}

/// Masks follow a header of 40 bytes, or are at the same offset in a longer one.
BmpMasks readBmpMasks(const HeaderReader& file, uint32_t bits)
{
    BmpMasks masks{};
    for (size_t i = 0; i < masks.size(); ++i)
        masks[i] = file.little32(54 + 4 * int64_t(i));
    if (bits == 32 && masks == BmpMasks{})
        return usualBmpMasks(bits);
    const auto fits = [bits](uint32_t mask) { return isRunOfBits(mask) && (bits == 32 || mask >> bits == 0); };
    if (!std::ranges::all_of(masks, fits))
        file.fail(
            fmt::format("it is a BMP of {} bits per pixel with the masks {:08x}", bits, fmt::join(masks, ", ")),
            "save it with 24 bits, uncompressed");
    return masks;
}

void readBmpFields(const HeaderReader& file, BmpLayout& layout)
{
    layout.headerBytes = file.little32(14);
    if (layout.headerBytes == 12) {  // OS/2: 16-bit sizes
        layout.width = file.little16(18);
        layout.height = file.little16(20);
        layout.bits = file.little16(24);
        return;
    }
    layout.width = int32_t(file.little32(18));
    layout.height = int32_t(file.little32(22));
    layout.fromTop = layout.height < 0;
    layout.height = std::abs(layout.height);
    layout.bits = file.little16(28);
    layout.compression = file.little32(30);
    layout.colours = file.little32(46);
}

BmpLayout readBmpLayout(const HeaderReader& file)
{
    BmpLayout layout;
    readBmpFields(file, layout);
    file.checkSize(layout.width, layout.height);
    if (!isKnownBmp(layout))
        file.fail(
            fmt::format("it is a BMP of {} bits per pixel with compression {}", layout.bits, layout.compression),
            "save it with 24 bits, uncompressed");
    if (layout.colours == 0)
        layout.colours = int64_t{1} << std::min(layout.bits, 8u);
    if (layout.hasPalette() && layout.colours > 65'536)
        file.damaged(fmt::format("its palette has {} colours", layout.colours));
    if (!layout.hasPalette())
        layout.masks = layout.compression == BitFields ? readBmpMasks(file, layout.bits)
                                                       : usualBmpMasks(layout.bits);
    // Some writers omit the palette, and some write no offset at all.
    const int64_t palette = layout.hasPalette() ? layout.paletteStep() * layout.colours : 0;
    const int64_t masks = layout.compression == BitFields && layout.headerBytes == 40 ? 12 : 0;
    layout.data = file.little32(10);
    if (layout.data == 0)
        layout.data = layout.paletteAt() + palette + masks;
    else if (layout.data == layout.paletteAt())
        layout.data += palette;
    file.require(layout.data, layout.isRunLength() ? 2 : layout.dataBytes());
    return layout;
}

using BmpColour = std::array<uint8_t, 3>;

std::array<BmpColour, 256> readBmpPalette(const HeaderReader& file, const BmpLayout& layout)
{
    std::array<BmpColour, 256> palette{};
    for (int64_t i = 0; i < std::min<int64_t>(layout.colours, 256); ++i) {
        const int64_t at = layout.paletteAt() + i * layout.paletteStep();
        if (file.has(at, 3))
            palette[size_t(i)] = {file.byte(at + 2), file.byte(at + 1), file.byte(at)};
    }
    return palette;
}

/// The indices of a run-length encoded image, row by row as stored.
class BmpRuns {
public:
    BmpRuns(const HeaderReader& file, const BmpLayout& layout)
        : m_file(file)
        , m_width(layout.width)
        , m_total(layout.width * layout.height)
        , m_nibbles(layout.compression == RunLength4)
        , m_at(layout.data)
    {}

    std::vector<uint8_t> all()
    {
        m_indices.reserve(size_t(m_total));
        bool more = true;
        while (more && filled() < m_total && m_file.has(m_at, 2)) {
            const uint8_t count = m_file.byte(m_at), value = m_file.byte(m_at + 1);
            m_at += 2;
            if (count > 0)
                repeat(count, value);
            else
                more = escape(value);
        }
        if (filled() < m_total)
            m_file.damaged("its run-length data ends before its rows");
        return std::move(m_indices);
    }

private:
    int64_t filled() const { return int64_t(m_indices.size()); }

    void put(uint8_t index)
    {
        if (filled() < m_total)
            m_indices.push_back(index);
    }

    void skip(int64_t count) { m_indices.resize(size_t(std::min(m_total, filled() + count))); }

    uint8_t nibble(uint8_t pair, int64_t i) const { return i % 2 == 0 ? pair >> 4 : pair & 15; }

    /// Pixels beyond the end of the row are dropped.
    void repeat(int64_t count, uint8_t value)
    {
        count = std::min(count, std::max<int64_t>(0, m_width - m_column));
        for (int64_t i = 0; i < count; ++i)
            put(m_nibbles ? nibble(value, i) : value);
        m_column += count;
    }

    /// False at the end of the image.
    bool escape(uint8_t code)
    {
        constexpr uint8_t endOfRow = 0, endOfImage = 1, move = 2;
        if (code == endOfImage)
            return false;
        if (code == endOfRow) {
            skip((m_width - filled() % m_width) % m_width);
            m_column = 0;
        } else if (code == move) {
            skip(m_file.byte(m_at) + m_file.byte(m_at + 1) * m_width);
            m_at += 2;
            m_column = filled() % m_width;
        } else {
            copy(code);
        }
        return true;
    }

    /// Literal indices, padded to an even position in the file.
    void copy(int64_t count)
    {
        const int64_t wanted = std::min(count, m_total - filled());
        const std::span<const uint8_t> bytes = m_file.part(m_at, m_nibbles ? (wanted + 1) / 2 : wanted);
        for (int64_t i = 0; i < wanted; ++i)
            put(m_nibbles ? nibble(bytes[size_t(i / 2)], i) : bytes[size_t(i)]);
        m_at += int64_t(bytes.size());
        m_at += m_at % 2;
        m_column += count;
    }

    const HeaderReader& m_file;
    int64_t m_width, m_total;
    bool m_nibbles;
    int64_t m_at;
    int64_t m_column = 0;
    std::vector<uint8_t> m_indices;
};

/// The index in storage of the row y from the top.
int64_t storedRow(const BmpLayout& layout, int64_t y)
{
    return layout.fromTop ? y : layout.height - 1 - y;
}

/// Calls index(stored row, x) for each pixel.
template <typename Index>
void paintBmp(const BmpLayout& layout, const std::array<BmpColour, 256>& palette, uint8_t* to, const Index& index)
{
    for (int64_t y = 0; y < layout.height; ++y)
        for (int64_t x = 0; x < layout.width; ++x, to += 3)
            std::copy_n(palette[index(storedRow(layout, y), x)].begin(), 3, to);
}

void decodeIndices(const HeaderReader& file, const BmpLayout& layout, uint8_t* to)
{
    const std::array<BmpColour, 256> palette = readBmpPalette(file, layout);
    if (layout.isRunLength()) {
        const std::vector<uint8_t> indices = BmpRuns(file, layout).all();
        paintBmp(layout, palette, to,
                 [&](int64_t row, int64_t x) { return indices[size_t(row * layout.width + x)]; });
        return;
    }
    const uint8_t* data = file.part(layout.data, layout.dataBytes()).data();
    const int64_t bits = layout.bits;
    const unsigned all = (1u << bits) - 1;
    paintBmp(layout, palette, to, [&](int64_t row, int64_t x) {
        const uint8_t byte = data[row * layout.rowBytes() + x * bits / 8];
        return uint8_t(byte >> (8 - bits - x * bits % 8) & all);
    });
}

void decodeMasked(const HeaderReader& file, const BmpLayout& layout, uint8_t* to)
{
    const uint8_t* data = file.part(layout.data, layout.dataBytes()).data();
    const int64_t pixelBytes = layout.bits / 8;
    std::array<int, 3> shifts{};
    std::array<uint64_t, 3> greatest{};
    for (size_t c = 0; c < 3; ++c) {
        shifts[c] = std::countr_zero(layout.masks[c]);
        greatest[c] = layout.masks[c] >> shifts[c];
    }
    for (int64_t y = 0; y < layout.height; ++y) {
        const uint8_t* from = data + storedRow(layout, y) * layout.rowBytes();
        for (int64_t x = 0; x < layout.width; ++x, from += pixelBytes) {
            uint32_t pixel = 0;
            for (int64_t i = 0; i < pixelBytes; ++i)
                pixel |= uint32_t(from[i]) << (8 * i);
            for (size_t c = 0; c < 3; ++c) {
                const uint64_t value = (pixel & layout.masks[c]) >> shifts[c];
                *to++ = uint8_t(greatest[c] == 255 ? value : value * 255 / greatest[c]);
            }
        }
    }
}

}

ImageHeader readBmpHeader(const HeaderReader& file)
{
    const BmpLayout layout = readBmpLayout(file);
    ImageHeader header;
    header.format = ImageFormat::Bmp;
    header.width = layout.width;
    header.height = layout.height;
    header.channels = layout.hasPalette() ? 1 : 3;
    return header;
}

void decodeBmp(const HeaderReader& file, std::span<uint8_t> pixels)
{
    const BmpLayout layout = readBmpLayout(file);
    if (int64_t(pixels.size()) != layout.width * layout.height * 3)
        file.damaged("its size has changed");
    if (layout.hasPalette())
        decodeIndices(file, layout, pixels.data());
    else
        decodeMasked(file, layout, pixels.data());
}

}

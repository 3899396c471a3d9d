#include "core/media/format/tiff_pixels.h"

#include "core/base/first_bytes.h"
#include "core/media/format/cmyk.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

uint8_t keptGrey(int64_t grey)
{
    return uint8_t(std::clamp<int64_t>(grey, 0, 255));
}

/// NaN becomes black.
uint8_t keptGrey(float grey)
{
    return grey > 0 ? uint8_t(std::min(grey, 255.0f)) : uint8_t{0};
}

/// Samples as stored → 8 bits: shades, or indices into the palette.
class TiffLevels {
public:
    TiffLevels(const TiffLayout& layout, std::endian order)
        : m_layout(layout)
        , m_order(order)
    {}

    /// Unpacks `count` samples of a row, written `step` apart.
    void unpack(const uint8_t* row, int64_t count, uint8_t* to, int64_t step) const
    {
        const uint8_t inversion = m_layout.colours == TiffColours::WhiteIsZero && m_layout.bits <= 8 ? 255 : 0;
        if (m_layout.bits == 8) {
            for (int64_t i = 0; i < count; ++i)
                to[i * step] = row[i] ^ inversion;
            return;
        }
        for (int64_t i = 0; i < count; ++i)
            to[i * step] = level(row, i) ^ inversion;
    }

private:
    uint8_t level(const uint8_t* row, int64_t i) const
    {
        switch (m_layout.bits) {
        case 12:
            return keptGrey(twelveBits(row, i));
        case 16:
            return sixteenBits(row + 2 * i);
        case 32:
            return thirtyTwoBits(row + 4 * i);
        default:
            return fewBits(row, i);
        }
    }

    uint8_t fewBits(const uint8_t* row, int64_t i) const
    {
        const int bits = m_layout.bits, greatest = (1 << bits) - 1;
        const int value = row[i * bits / 8] >> (8 - bits - i * bits % 8) & greatest;
        return uint8_t(m_layout.colours == TiffColours::Palette ? value : value * 255 / greatest);
    }

    int64_t twelveBits(const uint8_t* row, int64_t i) const
    {
        const uint8_t* at = row + i / 2 * 3;
        return i % 2 == 0 ? at[0] << 4 | at[1] >> 4 : (at[1] & 15) << 8 | at[2];
    }

    uint8_t sixteenBits(const uint8_t* at) const
    {
        const auto value = uint16_t(integerOf(std::span(at, 2), m_order));
        if (!m_layout.isGrey())
            return uint8_t(value >> 8);
        return keptGrey(m_layout.kind == TiffSampleKind::Signed ? int64_t{int16_t(value)} : int64_t{value});
    }

    /// Pillow reads unsigned samples as signed.
    uint8_t thirtyTwoBits(const uint8_t* at) const
    {
        const auto value = uint32_t(integerOf(std::span(at, 4), m_order));
        return m_layout.kind == TiffSampleKind::Float ? keptGrey(std::bit_cast<float>(value))
                                                      : keptGrey(int64_t{int32_t(value)});
    }

    const TiffLayout& m_layout;
    std::endian m_order;
};

/// Where alpha is 0 the colour is unknown: black, as in Pillow.
uint8_t dividedByAlpha(uint8_t colour, uint8_t alpha)
{
    return alpha == 0 ? uint8_t{0} : uint8_t(std::min(colour * 255 / alpha, 255));
}

void colourTiffRow(const TiffLayout& layout, const TiffPalette& palette, const uint8_t* levels, int64_t count,
                   uint8_t* to)
{
    for (int64_t x = 0; x < count; ++x, levels += layout.samples, to += 3) {
        switch (layout.colours) {
        case TiffColours::Palette:
            std::copy_n(palette[levels[0]].begin(), 3, to);
            break;
        case TiffColours::Cmyk:
            cmykToRgb(levels[0], levels[1], levels[2], levels[3], to);
            break;
        case TiffColours::Rgb:
            std::copy_n(levels, 3, to);
            break;
        default:
            std::fill_n(to, 3, levels[0]);
            break;
        }
        if (!layout.premultiplied || layout.colours == TiffColours::Palette)
            continue;
        const uint8_t alpha = levels[layout.isGrey() ? 1 : 3];
        for (int c = 0; c < 3; ++c)
            to[c] = dividedByAlpha(to[c], alpha);
    }
}

uint8_t bitsReversed(uint8_t byte)
{
    uint8_t result = 0;
    for (int i = 0; i < 8; ++i)
        result = uint8_t(result << 1 | (byte >> i & 1));
    return result;
}

}

bool placeTiffBlocks(const TiffLayout& layout, const TiffPalette& palette, std::endian order,
                     const TiffBlockReader& read, std::span<uint8_t> pixels)
{
    const TiffLevels samples(layout, order);
    const int64_t rowBytes = layout.blockRowBytes(), places = layout.blocksAcross() * layout.blocksDown();
    const int perPlane = layout.planes ? 1 : layout.samples;
    std::vector<std::vector<uint8_t>> planes(size_t(layout.planeCount()));
    std::vector<uint8_t> levels(size_t(layout.blockWidth * layout.samples));
    for (int64_t place = 0; place < places; ++place) {
        for (size_t plane = 0; plane < planes.size(); ++plane) {
            const int64_t block = int64_t(plane) * places + place;
            planes[plane].resize(size_t(rowBytes * layout.rowsOfBlock(block)));
            if (!read(block, planes[plane]))
                return false;
        }
        const int64_t left = place % layout.blocksAcross() * layout.blockWidth,
                      top = place / layout.blocksAcross() * layout.blockHeight;
        const int64_t columns = std::min(layout.blockWidth, layout.width - left);
        const int64_t bottom = std::min(top + layout.blockHeight, layout.height);
        for (int64_t y = top; y < bottom; ++y) {
            for (size_t plane = 0; plane < planes.size(); ++plane)
                samples.unpack(planes[plane].data() + (y - top) * rowBytes, columns * perPlane,
                               levels.data() + plane, layout.planes ? layout.samples : 1);
            colourTiffRow(layout, palette, levels.data(), columns, pixels.data() + (y * layout.width + left) * 3);
        }
    }
    return true;
}

TiffBlockReader plainTiffBlocks(const HeaderReader& file, const TiffLayout& layout)
{
    return [&file, &layout](int64_t block, std::span<uint8_t> samples) {
        const std::span<const uint8_t> stored = file.part(tiffNumber(file, layout, layout.offsets, block),
                                                          int64_t(samples.size()));
        std::ranges::copy(stored, samples.begin());
        if (layout.reversedBits)
            std::ranges::transform(samples, samples.begin(), bitsReversed);
        return true;
    };
}

}

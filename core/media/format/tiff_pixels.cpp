#include "core/media/format/tiff_pixels.h"

#include "core/base/first_bytes.h"
#include "core/media/format/cmyk.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

std::uint8_t keptGrey(std::int64_t grey)
{
    return std::uint8_t(std::clamp<std::int64_t>(grey, 0, 255));
}

/// NaN becomes black.
std::uint8_t keptGrey(float grey)
{
    return grey > 0 ? std::uint8_t(std::min(grey, 255.0f)) : std::uint8_t{0};
}

/// Samples as stored → 8 bits: shades, or indices into the palette.
class TiffLevels {
public:
    TiffLevels(const TiffLayout& layout, std::endian order)
        : m_layout(layout)
        , m_order(order)
    {}

    /// Unpacks `count` samples of a row, written `step` apart.
    void unpack(const std::uint8_t* row, std::int64_t count, std::uint8_t* to, std::int64_t step) const
    {
        const std::uint8_t inversion = m_layout.colours == TiffColours::WhiteIsZero && m_layout.bits <= 8 ? 255
                                                                                                          : 0;
        if (m_layout.bits == 8) {
            for (std::int64_t i = 0; i < count; ++i)
                to[i * step] = row[i] ^ inversion;
            return;
        }
        for (std::int64_t i = 0; i < count; ++i)
            to[i * step] = level(row, i) ^ inversion;
    }

private:
    std::uint8_t level(const std::uint8_t* row, std::int64_t i) const
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

    std::uint8_t fewBits(const std::uint8_t* row, std::int64_t i) const
    {
        const int bits = m_layout.bits, greatest = (1 << bits) - 1;
        const int value = row[i * bits / 8] >> (8 - bits - i * bits % 8) & greatest;
        return std::uint8_t(m_layout.colours == TiffColours::Palette ? value : value * 255 / greatest);
    }

    std::int64_t twelveBits(const std::uint8_t* row, std::int64_t i) const
    {
        const std::uint8_t* at = row + i / 2 * 3;
        return i % 2 == 0 ? at[0] << 4 | at[1] >> 4 : (at[1] & 15) << 8 | at[2];
    }

    std::uint8_t sixteenBits(const std::uint8_t* at) const
    {
        const auto value = std::uint16_t(integerOf(std::span(at, 2), m_order));
        if (!m_layout.isGrey())
            return std::uint8_t(value >> 8);
        return keptGrey(m_layout.kind == TiffSampleKind::Signed ? std::int64_t{std::int16_t(value)}
                                                                : std::int64_t{value});
    }

    /// Pillow reads unsigned samples as signed.
    std::uint8_t thirtyTwoBits(const std::uint8_t* at) const
    {
        const auto value = std::uint32_t(integerOf(std::span(at, 4), m_order));
        return m_layout.kind == TiffSampleKind::Float ? keptGrey(std::bit_cast<float>(value))
                                                      : keptGrey(std::int64_t{std::int32_t(value)});
    }

    const TiffLayout& m_layout;
    std::endian m_order;
};

/// Where alpha is 0 the colour is unknown: black, as in Pillow.
std::uint8_t dividedByAlpha(std::uint8_t colour, std::uint8_t alpha)
{
    return alpha == 0 ? std::uint8_t{0} : std::uint8_t(std::min(colour * 255 / alpha, 255));
}

void colourTiffRow(const TiffLayout& layout, const TiffPalette& palette, const std::uint8_t* levels,
                   std::int64_t count, std::uint8_t* to)
{
    for (std::int64_t x = 0; x < count; ++x, levels += layout.samples, to += 3) {
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
        const std::uint8_t alpha = levels[layout.isGrey() ? 1 : 3];
        for (int c = 0; c < 3; ++c)
            to[c] = dividedByAlpha(to[c], alpha);
    }
}

std::uint8_t bitsReversed(std::uint8_t byte)
{
    std::uint8_t result = 0;
    for (int i = 0; i < 8; ++i)
        result = std::uint8_t(result << 1 | (byte >> i & 1));
    return result;
}

}

bool placeTiffBlocks(const TiffLayout& layout, const TiffPalette& palette, std::endian order,
                     const TiffBlockReader& read, std::span<std::uint8_t> pixels)
{
    const TiffLevels samples(layout, order);
    const std::int64_t rowBytes = layout.blockRowBytes(), places = layout.blocksAcross() * layout.blocksDown();
    const int perPlane = layout.planes ? 1 : layout.samples;
    std::vector<std::vector<std::uint8_t>> planes(std::size_t(layout.planeCount()));
    std::vector<std::uint8_t> levels(std::size_t(layout.blockWidth * layout.samples));
    for (std::int64_t place = 0; place < places; ++place) {
        for (std::size_t plane = 0; plane < planes.size(); ++plane) {
            const std::int64_t block = std::int64_t(plane) * places + place;
            planes[plane].resize(std::size_t(rowBytes * layout.rowsOfBlock(block)));
            if (!read(block, planes[plane]))
                return false;
        }
        const std::int64_t left = place % layout.blocksAcross() * layout.blockWidth,
                           top = place / layout.blocksAcross() * layout.blockHeight;
        const std::int64_t columns = std::min(layout.blockWidth, layout.width - left);
        const std::int64_t bottom = std::min(top + layout.blockHeight, layout.height);
        for (std::int64_t y = top; y < bottom; ++y) {
            for (std::size_t plane = 0; plane < planes.size(); ++plane)
                samples.unpack(planes[plane].data() + (y - top) * rowBytes, columns * perPlane,
                               levels.data() + plane, layout.planes ? layout.samples : 1);
            colourTiffRow(layout, palette, levels.data(), columns, pixels.data() + (y * layout.width + left) * 3);
        }
    }
    return true;
}

TiffBlockReader plainTiffBlocks(const HeaderReader& file, const TiffLayout& layout)
{
    return [&file, &layout](std::int64_t block, std::span<std::uint8_t> samples) {
        const std::span<const std::uint8_t> stored = file.part(tiffNumber(file, layout, layout.offsets, block),
                                                               std::int64_t(samples.size()));
        std::ranges::copy(stored, samples.begin());
        if (layout.reversedBits)
            std::ranges::transform(samples, samples.begin(), bitsReversed);
        return true;
    };
}

}

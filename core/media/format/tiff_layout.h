// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/header_reader.h"

#include <array>
#include <cstdint>
#include <vector>

namespace attnscope {

enum class TiffColours { WhiteIsZero, Grey, Rgb, Palette, Cmyk, YCbCr };
enum class TiffSampleKind { Unsigned, Signed, Float };

/// Numbers of a directory, unread.
struct TiffField {
    std::uint32_t type = 0;
    std::int64_t count = 0;
    std::int64_t at = 0;  ///< where the first stands in the file
};

/// How the first picture of a TIFF or BigTIFF lies in its file: in blocks, which are strips or tiles, numbered from left to right, from
/// top to bottom, and then by plane.
struct TiffLayout {
    bool bigEndian = false;
    bool severalPages = false;
    std::int64_t width = 0, height = 0;
    std::uint32_t compression = 1;
    TiffColours colours = TiffColours::Grey;
    TiffSampleKind kind = TiffSampleKind::Unsigned;
    int bits = 1;         ///< of a sample
    int samples = 1;      ///< of a pixel, those that are looked at: unspecified planes at the end are left out
    bool planes = false;  ///< each sample in blocks of its own
    bool transparency = false;   ///< one of the samples is alpha
    bool premultiplied = false;  ///< by alpha, the sample behind the colours
    bool reversedBits = false;   ///< the first pixel stands in the lowest bits
    bool tiled = false;
    std::int64_t blockWidth = 0, blockHeight = 0;
    int orientation = 1;
    TiffField offsets, byteCounts, colourMap;

    bool isCompressed() const { return compression != 1; }
    bool isGrey() const { return colours == TiffColours::Grey || colours == TiffColours::WhiteIsZero; }
    /// Its colours stand at fewer places than its brightness, or libtiff converts them: a block holds no plain samples.
    bool needsConversion() const { return colours == TiffColours::YCbCr; }
    int planeCount() const { return planes ? samples : 1; }
    std::int64_t blocksAcross() const { return (width + blockWidth - 1) / blockWidth; }
    std::int64_t blocksDown() const { return (height + blockHeight - 1) / blockHeight; }
    std::int64_t blocks() const { return blocksAcross() * blocksDown() * planeCount(); }
    std::int64_t blockRowBytes() const { return (blockWidth * (planes ? 1 : samples) * bits + 7) / 8; }
    /// The last strip ends with the picture; tiles are all of one size.
    std::int64_t rowsOfBlock(std::int64_t block) const;
};

using TiffPalette = std::array<std::array<std::uint8_t, 3>, 256>;

/// Throws FileError for damage, for what lies outside the file, and by name for what is not read.
TiffLayout readTiffLayout(const HeaderReader& file);

/// The i-th number of a field; i < count. Throws FileError for numbers of more than 63 bits.
std::int64_t tiffNumber(const HeaderReader& file, const TiffLayout& layout, const TiffField& field,
                        std::int64_t i);

/// The high bytes of the colour map; black where it has no entry.
TiffPalette readTiffPalette(const HeaderReader& file, const TiffLayout& layout);

}  // namespace attnscope

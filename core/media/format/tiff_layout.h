#pragma once

#include "core/media/format/header_reader.h"

#include <array>
#include <cstdint>

namespace attnscope {

enum class TiffColours { WhiteIsZero, Grey, Rgb, Palette, Cmyk, YCbCr };
enum class TiffSampleKind { Unsigned, Signed, Float };

/// The values of a directory entry, not yet read.
struct TiffField {
    uint32_t type = 0;
    int64_t count = 0;
    int64_t at = 0;  ///< position of the first value in the file
};

/// The layout of the first image of a TIFF or BigTIFF: blocks, which are strips or tiles, numbered from left to right, top to bottom, then
/// by plane.
struct TiffLayout {
    bool bigEndian = false;
    bool severalPages = false;
    int64_t width = 0, height = 0;
    uint32_t compression = 1;
    TiffColours colours = TiffColours::Grey;
    TiffSampleKind kind = TiffSampleKind::Unsigned;
    int bits = 1;                ///< bits per sample
    int samples = 1;             ///< samples per pixel that are used: unspecified planes at the end are ignored
    bool planes = false;         ///< each sample has its own blocks
    bool transparency = false;   ///< one of the samples is alpha
    bool premultiplied = false;  ///< by alpha, the sample after the colours
    bool reversedBits = false;   ///< the first pixel is in the lowest bits
    bool tiled = false;
    int64_t blockWidth = 0, blockHeight = 0;
    int orientation = 1;
    TiffField offsets, byteCounts, colourMap;

    bool isCompressed() const { return compression != 1; }
    bool isGrey() const { return colours == TiffColours::Grey || colours == TiffColours::WhiteIsZero; }
    /// Chroma is subsampled, or libtiff converts the colours: a block doesn't contain plain samples.
    bool needsConversion() const { return colours == TiffColours::YCbCr; }
    int planeCount() const { return planes ? samples : 1; }
    int64_t blocksAcross() const { return (width + blockWidth - 1) / blockWidth; }
    int64_t blocksDown() const { return (height + blockHeight - 1) / blockHeight; }
    int64_t blocks() const { return blocksAcross() * blocksDown() * planeCount(); }
    int64_t blockRowBytes() const { return (blockWidth * (planes ? 1 : samples) * bits + 7) / 8; }
    /// The last strip ends with the image; all tiles have the same size.
    int64_t rowsOfBlock(int64_t block) const;
};

using TiffPalette = std::array<std::array<uint8_t, 3>, 256>;

/// Throws FileError for damage, for data outside the file, and, naming them, for unsupported features.
TiffLayout readTiffLayout(const HeaderReader& file);

/// The i-th number of a field; i < count. Throws FileError for numbers of more than 63 bits.
int64_t tiffNumber(const HeaderReader& file, const TiffLayout& layout, const TiffField& field, int64_t i);

/// The high bytes of the colour map; black for missing entries.
TiffPalette readTiffPalette(const HeaderReader& file, const TiffLayout& layout);

}

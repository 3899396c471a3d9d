// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/header_reader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

enum class ImageFormat { Jpeg, Png, Webp, Bmp, Pnm, Tiff };

/// "JPEG", "PNG" …
std::string_view imageFormatName(ImageFormat format);

/// The beginning of a file in quotes, for people: text up to its first line break, or hexadecimal bytes.
std::string quotedStart(std::span<const std::uint8_t> bytes);

/// A byte to change in a copy of the file before a decoder gets it.
struct BytePatch {
    std::int64_t at = 0;
    std::uint8_t value = 0;
};

/// What our own reading of a picture's structure found, before any decoder.
struct ImageHeader {
    ImageFormat format = ImageFormat::Jpeg;
    std::int64_t width = 0;   ///< pixels, as stored (orientation not applied)
    std::int64_t height = 0;
    int bitsPerSample = 8;
    int channels = 3;          ///< as stored; 4 is CMYK for JPEG
    bool transparency = false; ///< an alpha channel or transparent palette entries
    bool animated = false;     ///< of a PNG: there are further pictures behind the first, which is a still of its own
    int orientation = 1;       ///< EXIF 1 … 8; 1 is upright
    std::vector<BytePatch> patches;  ///< of a TIFF: libtiff would rotate, and multiply colours by alpha, by these tags
};

/// The format by content, as far as a signature tells.
std::optional<ImageFormat> sniffImage(std::span<const std::uint8_t> bytes);

/// The one door for foreign pictures: says what a file is and how large it will be, and refuses what no decoder should see.
/// Walks the whole structure (segments, chunks, strips) without decoding, so that a file that breaks off is refused; reads
/// each byte at most once and allocates nothing that grows with the file.
///
/// Refused by FileError: other formats, `DICM` at byte 128 whatever stands before it (the DICOM decoder behind OpenCV ends the
/// process on such files), sizes beyond `limits`, animated WebP, TIFF with several pages or with BigTIFF offsets, 12-bit JPEG.
ImageHeader inspectImage(std::span<const std::uint8_t> bytes, const std::string& name, const Limits& limits);

/// Like inspectImage's first checks, on the first bytes of a file (at least 132, or all of it): throws unless they may be a picture's.
ImageFormat checkSignature(std::span<const std::uint8_t> start, const std::string& name);

// One reader for each format; each is called after its signature was seen.
ImageHeader readJpegHeader(const HeaderReader& file);
ImageHeader readPngHeader(const HeaderReader& file);
ImageHeader readWebpHeader(const HeaderReader& file);
ImageHeader readBmpHeader(const HeaderReader& file);
ImageHeader readPnmHeader(const HeaderReader& file);
ImageHeader readTiffHeader(const HeaderReader& file);

}  // namespace attnscope

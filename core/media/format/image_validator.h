// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/header_reader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

enum class ImageFormat { Jpeg, Png, Webp, Bmp, Pnm, Tiff };

/// "JPEG", "PNG" …
std::string_view imageFormatName(ImageFormat format);

/// The beginning of a file in quotes, for people: text up to its first line break, or hexadecimal bytes.
std::string quotedStart(std::span<const std::uint8_t> bytes);

/// Of an animated WebP: the first frame, and where it lies on the picture, which is black around it.
struct FirstFrame {
    std::int64_t left = 0, top = 0, width = 0, height = 0;
    std::int64_t dataAt = 0, dataBytes = 0;  ///< its chunks in the file
};

/// What our own reading of a picture's structure found, before any decoder.
struct ImageHeader {
    ImageFormat format = ImageFormat::Jpeg;
    std::int64_t width = 0;   ///< pixels, as stored (orientation not applied)
    std::int64_t height = 0;
    int bitsPerSample = 8;
    int channels = 3;          ///< as stored
    bool cmyk = false;
    bool clipsGrey = false;    ///< grey of more than 8 bits, of which Pillow keeps 0 … 255 and makes all above white
    bool transparency = false; ///< an alpha channel or transparent palette entries
    bool animated = false;     ///< there are further pictures behind the first
    bool severalPages = false; ///< of a TIFF
    int orientation = 1;       ///< EXIF 1 … 8; 1 is upright
    std::optional<FirstFrame> firstFrame;
};

/// The format by content, as far as a signature tells.
std::optional<ImageFormat> sniffImage(std::span<const std::uint8_t> bytes);

/// The name of a picture format that is known and not read: AVIF, HEIC, JPEG XL, JPEG 2000; empty for everything else.
std::string_view unreadImageFormat(std::span<const std::uint8_t> bytes);

/// The one door for foreign pictures: says what a file is and how large it will be, and refuses what no decoder should see.
/// Walks the whole structure (segments, chunks, strips) without decoding, so that a file that breaks off is refused; reads
/// each byte at most once and allocates nothing that grows with the file.
///
/// Refused by FileError: other formats, `DICM` at byte 128 whatever stands before it (the DICOM decoder behind OpenCV ends the
/// process on such files), sizes beyond `limits`, and what docs/images.md says that is not read of these formats. Of several pictures in one file only the first counts.
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

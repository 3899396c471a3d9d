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

/// The start of a file in quotes, for display: text up to its first line break, or hexadecimal bytes.
std::string quotedStart(std::span<const uint8_t> bytes);

/// The first frame of an animated WebP and its position on the image, which is black around it.
struct FirstFrame {
    int64_t left = 0, top = 0, width = 0, height = 0;
    int64_t dataAt = 0, dataBytes = 0;  ///< its chunks in the file
};

/// What our own inspection of an image's structure found, before any decoder runs.
struct ImageHeader {
    ImageFormat format = ImageFormat::Jpeg;
    int64_t width = 0;  ///< pixels, as stored (orientation not applied)
    int64_t height = 0;
    int bitsPerSample = 8;
    int channels = 3;  ///< as stored
    bool cmyk = false;
    bool clipsGrey = false;     ///< grey of more than 8 bits, which Pillow clips to 0 … 255
    bool transparency = false;  ///< an alpha channel or transparent palette entries
    bool animated = false;      ///< the file has more images after the first
    bool severalPages = false;  ///< a TIFF with several pages
    int orientation = 1;        ///< EXIF 1 … 8; 1 is upright
    std::optional<FirstFrame> firstFrame;
};

/// The format by content, as far as the signature reveals it.
std::optional<ImageFormat> sniffImage(std::span<const uint8_t> bytes);

/// The name of an image format that is recognised but not supported: AVIF, HEIC, JPEG XL, JPEG 2000; empty for anything else.
std::string_view unreadImageFormat(std::span<const uint8_t> bytes);

/// The only entry for untrusted images: determines the format and size of a file, and rejects what no decoder should see. Walks the whole
/// structure (segments, chunks, strips) without decoding, so that truncated files are rejected; reads each byte at most once and allocates
/// nothing that grows with the file.
///
/// Throws FileError for other formats, for `DICM` at byte 128 whatever precedes it (the DICOM decoder behind OpenCV aborts the process on
/// such files), for sizes beyond `limits`, and for what docs/images.md lists as unsupported in these formats. Of several images in one
/// file only the first counts.
ImageHeader inspectImage(std::span<const uint8_t> bytes, const std::string& name, const Limits& limits);

/// Like inspectImage's first checks, on the first bytes of a file (at least 132, or all of it): throws unless they may belong to an image.
ImageFormat checkSignature(std::span<const uint8_t> start, const std::string& name);

// One reader per format; each is called after its signature was recognised.
ImageHeader readJpegHeader(const HeaderReader& file);
ImageHeader readPngHeader(const HeaderReader& file);
ImageHeader readWebpHeader(const HeaderReader& file);
ImageHeader readBmpHeader(const HeaderReader& file);
ImageHeader readPnmHeader(const HeaderReader& file);
ImageHeader readTiffHeader(const HeaderReader& file);

}

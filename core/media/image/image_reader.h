#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/transform.h"
#include "core/media/image/pixel_decoder.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace attnscope {

/// Cameras record in EXIF how they were held. The published evaluation code ignores it, so evaluation does too; a person looking at the
/// image wants it applied.
enum class Orientation { Ignore, Apply };

struct ImageReadOptions {
    Orientation orientation = Orientation::Ignore;
    Limits limits;
};

/// Reads a JPEG, PNG, WebP, BMP, PNM or TIFF, the first image if there are several, as one frame of 8-bit RGB, like Pillow's
/// convert("RGB"): docs/images.md describes the treatment of transparency, 16 bits and CMYK.
///
/// The format is recognised by content. Signature, size and dimensions are checked before any decoder sees a byte. Throws FileError (one
/// sentence) if the file is missing, not an image, damaged, or beyond the limits.
Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options = {});

/// The same for bytes in memory (a pasted image); `name` is used in messages.
Clip readImage(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options = {});

/// The crop that `transform` makes of an image: bit-identical to resizeAndCrop(readImage(…)) unless its JPEG decoding is scaled, but only what
/// the crop shows is decoded and nothing is copied. `decoder` empty: in this process. Throws like readImage, and UsageError.
Clip readCrop(std::span<const uint8_t> bytes, const std::string& name, const Transform& transform,
              const ImageReadOptions& options = {}, const PixelDecoder& decoder = {});

/// Called with a decoded image in rows, of which only what the transform reads is valid, in memory as PixelUse has it.
using DecodedUse = std::function<void(RgbView<const uint8_t> image, int64_t width, int64_t height)>;

/// Decodes for `transform` what readCrop makes the crop of, and has it used once. Without pixels. Throws like readCrop.
Clip readDecoded(std::span<const uint8_t> bytes, const std::string& name, const Transform& transform,
                 const ImageReadOptions& options, const PixelDecoder& decoder, const DecodedUse& use);

/// The same with `decoder` instead of the decoders: `DecoderProcess` (decoder_process.h) decodes in a separate process. The validator, PNM
/// and the orientation are our own code and stay here, so that messages and pixels are the same either way.
Clip readImage(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options,
               const PixelDecoder& decoder);

}

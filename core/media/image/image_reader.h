// SPDX-License-Identifier: Apache-2.0
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

/// Cameras note in EXIF how the picture was held. The published evaluation code ignores that note, so evaluation
/// does too; a person looking at the picture wants it applied.
enum class Orientation { Ignore, Apply };

struct ImageReadOptions {
    Orientation orientation = Orientation::Ignore;
    Limits limits;
};

/// Reads a JPEG, PNG, WebP, BMP, PNM or TIFF, of several pictures in it the first, as one frame of 8-bit RGB, as Pillow's convert("RGB")
/// does: docs/images.md says what becomes of transparency, of 16 bits and of CMYK.
///
/// The format goes by content. Signature, size and dimensions are checked before any decoder sees a byte.
/// Throws FileError (one sentence) when the file is missing, no picture, damaged, or beyond the limits.
Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options = {});

/// The same for bytes in memory (a pasted picture); `name` stands in messages.
Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options = {});

/// The crop that `transform` makes of a picture: resizeAndCrop(readImage(…)) to the bit, but only what the crop shows is decoded
/// and nothing is copied. `decoder` empty: in this process. Throws like readImage, and UsageError.
Clip readCrop(std::span<const std::uint8_t> bytes, const std::string& name, const Transform& transform,
              const ImageReadOptions& options = {}, const PixelDecoder& decoder = {});

/// The same with `decoder` in the decoders' place: `DecoderProcess` (decoder_process.h) decodes in a process of its
/// own. The gate, PNM and the orientation are our own code and stay here, so that messages and pixels are the same
/// either way.
Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options,
               const PixelDecoder& decoder);

}  // namespace attnscope

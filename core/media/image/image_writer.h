#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

/// Encodes a frame of 8-bit RGB as a JPEG; quality 1 … 100, chroma subsampled 2×2. Throws UsageError for an invalid quality or frame.
std::vector<uint8_t> encodeJpeg(const Clip& clip, int64_t frame, int quality);

/// The same to a file, which is written atomically. Throws FileError too.
void writeJpeg(const std::filesystem::path& path, const Clip& clip, int64_t frame, int quality);

/// Writes a frame of 8-bit RGB as a PNG, atomically. Throws UsageError for an invalid frame, FileError.
void writePng(const std::filesystem::path& path, const Clip& clip, int64_t frame);

}

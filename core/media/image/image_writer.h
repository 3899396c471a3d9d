// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

/// A frame of 8-bit RGB as the bytes of a JPEG; quality 1 … 100, chroma halved in both directions. Throws UsageError: a quality or
/// frame that there is not.
std::vector<std::uint8_t> encodeJpeg(const Clip& clip, std::int64_t frame, int quality);

/// The same as a file, which appears whole or not at all. Throws FileError too.
void writeJpeg(const std::filesystem::path& path, const Clip& clip, std::int64_t frame, int quality);

}  // namespace attnscope

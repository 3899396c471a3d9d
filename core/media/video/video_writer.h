// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"
#include "core/media/video/video_reader.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

struct VideoWriteOptions {
    Fraction rate{30, 1};  ///< frames a second
    int quality = 20;      ///< x264's constant rate factor: 0 (lossless) … 51
};

/// The frames as H.264 (yuv420p, BT.601, limited range) in MP4, in memory. One thread and no dates or names of programs inside, so that
/// the same frames give the same bytes with the same FFmpeg. Throws UsageError: no frames, odd sides, a rate or quality out of range;
/// Unsupported where this FFmpeg has no H.264 encoder.
std::vector<std::uint8_t> encodeVideo(const Clip& clip, const VideoWriteOptions& options);

/// The same as a file, which appears whole or not at all. Throws FileError too.
void writeVideo(const std::filesystem::path& path, const Clip& clip, const VideoWriteOptions& options);

/// Throws Unsupported, as encodeVideo would.
void requireVideoEncoder();

}  // namespace attnscope

#pragma once

#include "core/data/preprocess/clip.h"
#include "core/media/video/video_reader.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace attnscope {

struct VideoWriteOptions {
    Fraction rate{30, 1};  ///< frames per second
    int quality = 20;      ///< x264's constant rate factor: 0 (lossless) … 51
};

/// Encodes the frames as H.264 (yuv420p, BT.601, limited range) in MP4, in memory. Single-threaded and without dates or program names, so
/// that the same frames give the same bytes with the same FFmpeg. Throws UsageError: no frames, odd sides, a rate or quality out of range;
/// Unsupported if this FFmpeg has no H.264 encoder.
std::vector<uint8_t> encodeVideo(const Clip& clip, const VideoWriteOptions& options);

/// The same to a file, which is written atomically. Throws FileError too.
void writeVideo(const std::filesystem::path& path, const Clip& clip, const VideoWriteOptions& options);

/// Throws Unsupported if encodeVideo would.
void requireVideoEncoder();

}

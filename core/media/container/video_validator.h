// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Our own reading of the first bytes of a video, before FFmpeg sees any. Free of FFmpeg.
namespace attnscope {

/// A kind of file that holds videos.
struct VideoContainer {
    std::string_view name;     ///< "mov", as VideoInfo::container
    std::string_view title;    ///< "MP4 or QuickTime"
    std::string_view demuxer;  ///< FFmpeg's name of the one reader that may open it
};

/// Every container that is read without being asked for, in the order of docs/video.md.
std::span<const VideoContainer> videoContainers();

/// As many bytes from the start of a file as the functions below look at.
constexpr std::int64_t videoSignatureBytes = 4096;

/// By content; null for everything else.
const VideoContainer* sniffVideo(std::span<const std::uint8_t> start);

/// Throws FileError, saying what the file seems to be instead.
const VideoContainer& checkVideoSignature(std::span<const std::uint8_t> start, const std::string& name);

}  // namespace attnscope

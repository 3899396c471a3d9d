#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// Our own inspection of the first bytes of a video, before FFmpeg sees any. Independent of FFmpeg.
namespace attnscope {

/// A kind of file that contains videos.
struct VideoContainer {
    std::string_view name;     ///< "mov", as in VideoInfo::container
    std::string_view title;    ///< "MP4 or QuickTime"
    std::string_view demuxer;  ///< FFmpeg's name of the only demuxer that may open it
};

/// Every container that is read by default, in the order of docs/video.md.
std::span<const VideoContainer> videoContainers();

/// Number of bytes at the start of a file that the functions below inspect.
constexpr int64_t videoSignatureBytes = 4096;

/// Recognises a container by content; null for anything else.
const VideoContainer* sniffVideo(std::span<const uint8_t> start);

/// Throws FileError, saying what the file appears to be instead.
const VideoContainer& checkVideoSignature(std::span<const uint8_t> start, const std::string& name);

}

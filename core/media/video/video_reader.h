// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/clip.h"
#include "core/media/container/frame_source.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Free of FFmpeg's headers: only the .cpp files of this folder know them.
namespace attnscope {

/// An exact fraction; FFmpeg's AVRational.
struct Fraction {
    std::int64_t numerator = 0, denominator = 1;
    double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

struct VideoReadOptions {
    Limits limits;
    bool anyFormat = false;   ///< also containers and codecs outside our list (`--any-format`)
    bool hardware = false;    ///< decode on a GPU where there is one; else in software, which a note says
    int threads = 0;          ///< of the decoder; 0: one for small frames, else as many as cores, at most 8.
                              ///< Only one mends damaged frames alike every time
};

/// What the container says, before a frame is decoded.
struct VideoInfo {
    std::string container;                 ///< "mov", "matroska", "avi", "gif", "frames" (a folder)
    std::string codec;                     ///< "h264"
    std::string pixelFormat;               ///< "yuv420p"
    std::string decoder;                   ///< "h264, 2 threads"
    std::int64_t width = 0, height = 0;    ///< as stored: before rotation
    int rotation = 0;                      ///< degrees clockwise that a player turns it by: 0, 90, 180, 270
    Fraction averageRate;                  ///< frames a second
    Fraction timeBase{1, 1};               ///< seconds of one unit of `pts`, `start` and `duration`
    std::optional<std::int64_t> frames;    ///< as the container counts them; empty: not said (webm, mkv)
    std::optional<std::int64_t> duration;  ///< of the stream; empty: not said
    std::int64_t start = 0;                ///< pts of the first frame
    bool seekable = true;
    std::vector<std::string> notes;        ///< what was decided and the user should know
};

class VideoSource;

/// One video stream (the best of its container), frame by frame in presentation order. Frames are decoded when
/// asked for and converted only when their pixels are: looking for a frame costs no conversion.
///
/// Every demuxer, codec and protocol outside the list of docs/video.md is refused before it is opened; nothing
/// that a file names is opened. A damaged stretch is skipped, a file that breaks off ends there; `damage` says so.
/// Not safe to use from two threads.
class VideoReader final : public FrameSource {
public:
    /// A video file, an animated GIF, or a folder of pictures (sorted by name, natural order; 30 a second). Throws
    /// FileError: no video, a format outside the list, no video stream, beyond the limits, no frame that can be
    /// decoded. Throws Cancelled when stopped.
    explicit VideoReader(const std::filesystem::path& path, VideoReadOptions options = {},
                         std::stop_token stop = {});
    /// A stream of the network, for an address that a person typed: never for what stands in a file. http, https,
    /// rtsp, rtmp, udp, rtp, tcp and srt, where this FFmpeg has them. It cannot be sought in. Throws like the
    /// constructor, and UsageError.
    static VideoReader fromUrl(const std::string& url, VideoReadOptions options = {}, std::stop_token stop = {});
    ~VideoReader() override;
    VideoReader(VideoReader&&) noexcept;
    VideoReader& operator=(VideoReader&&) noexcept;

    const VideoInfo& info() const;

    FrameSize size() const override;
    int rotation() const override;
    bool isLive() const override;

    /// Decodes the next frame without converting it. False after the last. Throws Cancelled when stopped,
    /// FileError when a decoder makes no progress within limits.videoStallSeconds. A frame whose time the file
    /// does not say gets the one before plus a frame.
    bool advance() override;
    /// Of the current frame, in units of facts().timeBase. Grows from frame to frame.
    std::int64_t pts() const;
    /// Seconds since facts().start.
    double seconds() const override;

    using FrameSource::writeRgb;
    /// Colour: the tagged matrix and range; BT.601, limited, where untagged. Rotation is not applied (see `turn`).
    void writeRgb(std::uint8_t* rgb, std::int64_t stride, FrameSize size) override;

    /// Makes `advance` go on with the frame that is shown at `pts`: the last with a pts at or before it, or the
    /// first frame of all. Exact, whatever the distance of key frames. Throws FileError where the source cannot
    /// seek backwards.
    void seek(std::int64_t pts);

    /// One sentence on what could not be decoded so far; empty when all could.
    std::string damage() const;

private:
    explicit VideoReader(std::unique_ptr<VideoSource> source);

    std::unique_ptr<VideoSource> m_source;
};

/// Whether the content of the file looks like a video or an animated GIF, or the folder like one of frames; by
/// content, never by suffix. Cheap: reads the first bytes.
bool looksLikeVideo(const std::filesystem::path& path);

}  // namespace attnscope

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

/// Free of FFmpeg's headers, which only the .cpp files of this folder include.
namespace attnscope {

/// An exact fraction; FFmpeg's AVRational.
struct Fraction {
    int64_t numerator = 0, denominator = 1;
    double value() const { return double(numerator) / double(denominator); }
};

struct VideoReadOptions {
    Limits limits;
    bool anyFormat = false;  ///< also containers and codecs outside our list (`--any-format`)
    /// Decode files in a process without rights (attnscope-video-decoder, attnscope-decoder); streams never are.
    bool isolated = true;
    bool hardware = false;  ///< decode on a GPU if available, in this process; else in software, with a note
    /// Of the decoder; 0: one for small frames, else one per core, at most 8. Only one thread conceals damaged
    /// frames reproducibly.
    int threads = 0;
};

/// What the container states, before a frame is decoded.
struct VideoInfo {
    std::string container;            ///< "mov", "matroska", "avi", "gif", "frames" (a folder)
    std::string codec;                ///< "h264"
    std::string pixelFormat;          ///< "yuv420p"
    std::string decoder;              ///< "h264, 2 threads"
    int64_t width = 0, height = 0;    ///< as stored: before rotation
    int rotation = 0;                 ///< clockwise rotation in degrees that a player applies: 0, 90, 180, 270
    Fraction averageRate;             ///< frames per second
    Fraction timeBase{1, 1};          ///< seconds per unit of `pts`, `start` and `duration`
    std::optional<int64_t> frames;    ///< as counted by the container; empty: unknown (webm, mkv)
    std::optional<int64_t> duration;  ///< of the stream; empty: unknown
    std::optional<int64_t> tagged;    ///< the same as a tag of the stream has it (mkv)
    int64_t start = 0;                ///< pts of the first frame
    bool seekable = true;
    std::vector<std::string> notes;  ///< decisions that the user should know about
};

class VideoSource;

/// One video stream (the best of its container), frame by frame in presentation order. Frames are decoded on demand and converted only if
/// their pixels are requested: searching for a frame costs no conversion.
///
/// Every demuxer, codec and protocol outside the list of docs/video.md is rejected before it is opened; nothing that a file names is
/// opened. Damaged parts are skipped, a truncated file ends early; `damage` reports it. Not thread-safe.
class VideoReader final : public FrameSource {
public:
    /// A video file, an animated GIF, or a folder of images (sorted by name, natural order; 30 per second). Throws FileError: not a video,
    /// a format outside the list, no video stream, beyond the limits, no frame that can be decoded; DecoderFailure: its decoder crashed or hangs.
    /// Throws Cancelled when stopped, Unsupported where there is no decoder process.
    explicit VideoReader(const std::filesystem::path& path, VideoReadOptions options = {},
                         std::stop_token stop = {});
    /// A network stream, for a URL that a person typed, never one found in a file. http, https, rtsp, rtmp, udp, rtp, tcp and srt, if this
    /// FFmpeg has them. Not seekable. Throws like the constructor, and UsageError.
    static VideoReader fromUrl(const std::string& url, VideoReadOptions options = {}, std::stop_token stop = {});
    ~VideoReader() override;
    VideoReader(VideoReader&&) noexcept;
    VideoReader& operator=(VideoReader&&) noexcept;

    const VideoInfo& info() const;

    FrameSize size() const override;
    int rotation() const override;
    bool isLive() const override;

    /// Decodes the next frame without converting it. False after the last. Throws Cancelled when stopped, FileError if a decoder makes no
    /// progress within limits.videoStallSeconds. A frame whose time the file does not state gets that of the previous one plus a frame.
    bool advance() override;
    /// Time of the current frame, in units of info().timeBase. Strictly increasing.
    int64_t pts() const;
    /// Seconds since info().start.
    double seconds() const override;

    using FrameSource::writeRgb;
    /// Colour: the tagged matrix and range; BT.601, limited, if untagged. Rotation is not applied (see `turn`).
    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) override;

    /// Makes `advance` continue with the frame that is shown at `pts`: the last with a pts at or before it, or the first frame of all.
    /// Exact, however far apart key frames are. Throws FileError if the source can't seek backwards.
    void seek(int64_t pts);

    /// One sentence on what could not be decoded so far; empty if nothing.
    std::string damage() const;

private:
    explicit VideoReader(std::unique_ptr<VideoSource> source);

    std::unique_ptr<VideoSource> m_source;
};

/// Whether the file is a video or an animated GIF, or the folder a folder of frames; by content, never by suffix. Cheap: reads only the
/// first bytes.
bool looksLikeVideo(const std::filesystem::path& path);

}

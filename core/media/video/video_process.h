#pragma once

#include "core/media/image/input_file.h"
#include "core/media/process/decoder_connection.h"
#include "core/media/process/shared_memory.h"
#include "core/media/video/video_protocol.h"
#include "core/media/video/video_source.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace attnscope {

inline constexpr DecoderKind videoDecoder{"attnscope-video-decoder", "ATTNSCOPE_VIDEO_DECODER", "video decoder",
                                          "convert the video with another program"};

/// A running attnscope-video-decoder, which one video at a time uses.
struct RunningVideoDecoder {
    SharedMemory memory;
    DecoderConnection connection{videoDecoder, {}, std::chrono::seconds(30)};
    int64_t videoPixels = 0;  ///< the limit with which it was started
    uint64_t requests = 0;
};

/// A video in a file, with FFmpeg in a process of its own that has limits and no rights: where it crashes, hangs or lies, the video is a
/// DecoderFailure and the next one gets a new process. A request to stop ends the process, within 100 ms. Processes are kept for the next
/// video.
class VideoProcess final : public VideoSource {
public:
    VideoProcess(const InputFile& file, const VideoReadOptions& options, std::stop_token stop);
    ~VideoProcess() override;

    bool advance() override;
    int64_t pts() const override { return m_pts; }
    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) override;
    void seek(int64_t pts) override;
    VideoDamage damage() const override { return m_damage; }

private:
    void take();
    /// Has the current frame's pixels written to the memory.
    void fetch(FrameSize size);
    void open(const InputFile& file, const VideoReadOptions& options);
    /// Sends the request and waits for its reply. Throws what the reply says, DecoderFailure, Cancelled.
    video_protocol::Reply ask(video_protocol::Request request, int file = -1);
    video_protocol::Reply awaitReply(const video_protocol::Request& request);
    /// Ends the process; `received` a message: one that cannot be a reply.
    [[noreturn]] void fail(DecoderConnection::Received received);

    std::string m_name;
    std::stop_token m_stop;
    Limits m_limits;
    std::unique_ptr<RunningVideoDecoder> m_decoder;  ///< null after a failure
    int64_t m_pts = 0;
    bool m_hasFrame = false;
    std::optional<FrameSize> m_pixels;  ///< of the current frame, in the memory
    FrameSize m_taken;                  ///< the size in which pixels were taken last
    bool m_takes = false;               ///< the current frame's
    int m_takenInARow = 0;
};

/// What protects a video decoder that is started now, for display. Throws Unsupported.
DecoderInfo videoDecoderInfo();

}

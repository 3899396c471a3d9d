#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

/// Frames on their way from the decoder to the screen. Independent of torch, Qt and FFmpeg.
namespace attnscope {

/// One decoded frame in a reusable buffer.
struct Frame {
    int64_t width = 0, height = 0;
    int64_t stride = 0;        ///< bytes per row, a multiple of 4 as required for painting
    std::vector<uint8_t> rgb;  ///< 8-bit RGB, `stride` × height
    int64_t pts = 0;           ///< in the source's units
    double seconds = 0;        ///< since the source's first frame
    double played = 0;         ///< the same, but continuing across loops: the timebase of the clock
    uint64_t epoch = 0;        ///< counts seeks and loops: frames of two epochs are not consecutive
    bool jump = false;         ///< first after a seek: shown immediately, whatever the clock says
};

/// A reference to a frame; the buffer returns to its pool with the last one. Each keeps the pool alive.
using FrameRef = std::shared_ptr<const Frame>;
/// The same for whoever fills it.
using WritableFrame = std::shared_ptr<Frame>;

/// A fixed number of frames: decoder, queue and screen together never exceed it, and none is allocated during playback.
class FramePool : public std::enable_shared_from_this<FramePool> {
public:
    explicit FramePool(size_t frames);

    /// An unused frame of this size; waits until there is one. Empty once `stop` is requested. Its buffer is allocated if it had another
    /// size.
    WritableFrame take(int64_t width, int64_t height, std::stop_token stop);

private:
    void giveBack(Frame* frame);

    std::mutex m_mutex;
    std::condition_variable_any m_returned;
    std::vector<std::unique_ptr<Frame>> m_frames;
    std::vector<Frame*> m_free;
};

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

/// Pictures on their way from the decoder to the screen. Free of torch, Qt and FFmpeg.
namespace attnscope {

class FramePool;

/// One decoded picture in a buffer that is used again and again.
struct Frame {
    std::int64_t width = 0, height = 0;
    std::int64_t stride = 0;        ///< bytes a row, a multiple of 4 as painters want it
    std::vector<std::uint8_t> rgb;  ///< 8-bit RGB, `stride` × height
    std::int64_t pts = 0;           ///< in the source's units
    double seconds = 0;             ///< since the source's first frame
    double played = 0;              ///< the same, but going on where a loop begins anew: what the clock runs in
    std::uint64_t epoch = 0;        ///< counts seeks and loops: frames of two epochs do not follow each other
    bool jump = false;              ///< first after a seek: shown at once, whatever the clock says

private:
    friend class FrameRef;
    friend class FramePool;
    std::atomic<int> m_holders{0};
};

/// A hold on a frame; the buffer goes back to its pool with the last one. Each keeps the pool alive.
class FrameRef {
public:
    FrameRef() = default;
    FrameRef(const FrameRef& other);
    FrameRef(FrameRef&& other) noexcept;
    FrameRef& operator=(FrameRef other) noexcept;
    ~FrameRef();

    explicit operator bool() const { return m_frame != nullptr; }
    const Frame& operator*() const { return *m_frame; }
    const Frame* operator->() const { return m_frame; }

private:
    friend class FramePool;
    FrameRef(std::shared_ptr<FramePool> pool, Frame* frame);

    std::shared_ptr<FramePool> m_pool;
    Frame* m_frame = nullptr;
};

/// A fixed number of frames: what decoder, queue and screen hold together never exceeds it, and none is allocated while playing.
class FramePool : public std::enable_shared_from_this<FramePool> {
public:
    explicit FramePool(std::size_t frames);

    /// A frame of this size that nobody holds; waits until there is one. Empty once `stop` is requested.
    /// Its buffer is allocated when the size is new to it.
    FrameRef take(std::int64_t width, std::int64_t height, std::stop_token stop);
    /// The frame to fill, of the one who took it and has shared it with nobody yet.
    static Frame& writable(FrameRef& frame) { return *frame.m_frame; }
    std::size_t size() const { return m_frames.size(); }
    /// Frames that somebody holds.
    std::size_t held() const;

private:
    friend class FrameRef;
    void giveBack(Frame* frame);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_returned;
    std::vector<std::unique_ptr<Frame>> m_frames;
    std::vector<Frame*> m_free;
};

}  // namespace attnscope

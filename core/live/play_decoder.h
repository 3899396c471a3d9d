#pragma once

#include "core/live/frame.h"
#include "core/live/play_source.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

namespace attnscope {

/// What a seek decodes: only the image, as while dragging a slider, or also what the sink needs before it.
enum class Reach { Image, Sink };

/// The thread that opens a source and decodes it, a bounded number of frames ahead of the display.
class PlayDecoder {
public:
    using Open = std::function<std::unique_ptr<PlaySource>(std::stop_token)>;

    struct Size {
        size_t queue = 8;  ///< frames decoded ahead
        size_t shown = 4;  ///< frames that the display may hold in addition
    };

    struct Status {
        bool opened = false, failed = false;
        bool atEnd = false;     ///< no more frames will come unless somebody seeks
        bool seeking = false;   ///< the first frame of the newest seek is not available yet
        double endSeconds = 0;  ///< where the source actually ended; 0: not reached yet, or without a frame
    };

    PlayDecoder(Open open, FrameSink* sink, Size size);
    /// Stops within one frame.
    ~PlayDecoder();

    Status status() const { return locked(m_status); }
    SourceInfo info() const { return locked(m_info); }
    std::string problem() const { return locked(m_problem); }
    std::string damage() const { return locked(m_damage); }

    /// Clears the queue and continues with the frame that is shown at `pts`. Replaces a pending seek.
    void seek(int64_t pts, Reach reach);
    /// Continues at the start whenever the end is reached.
    void setLoop(bool loop);

    /// The next frame, without taking it; empty if there is none.
    FrameRef front() const;
    void pop();
    size_t queued() const;

private:
    struct Task {
        uint64_t request = 0;  ///< the seek that it serves
        enum class Kind { Frame, Seek, Wrap } kind = Kind::Frame;
        int64_t target = 0;
        Reach reach = Reach::Sink;
    };

    template <typename Value>
    Value locked(const Value& value) const
    {
        const std::scoped_lock lock(m_mutex);
        return value;
    }
    // With m_mutex held:
    bool hasWork() const;
    Task nextTask();

    void onDecoderLoop(std::stop_token stop);
    bool onDecoderOpen(std::stop_token stop);
    void onDecoderTask(const Task& task, std::stop_token stop);
    void onDecoderSeek(const Task& task, std::stop_token stop);
    WritableFrame onDecoderRunUp(const Task& task, std::stop_token stop);
    WritableFrame onDecoderOne(const Task& task, std::stop_token stop);
    WritableFrame onDecoderDeliver(bool drawn, std::stop_token stop);
    WritableFrame onDecoderPixels(std::stop_token stop);
    void onDecoderBegin();
    void onDecoderEnd(const Task& task);
    void onDecoderPush(const Task& task, FrameRef frame);
    void onDecoderFail(const std::string& sentence);
    bool outdated(const Task& task) const;

    const Open m_open;
    FrameSink* const m_sink;
    const Size m_size;
    const std::shared_ptr<FramePool> m_pool;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_work;
    Status m_status;
    SourceInfo m_info;
    std::string m_problem, m_damage;
    std::deque<FrameRef> m_queue;
    bool m_loop = false, m_seekWaits = false;
    Task m_newest;  // the newest seek

    // Only used by the decoding thread:
    std::unique_ptr<PlaySource> m_source;
    uint64_t m_epoch = 0;
    double m_lap = 0;          // `played` minus `seconds`
    double m_lastSeconds = 0;  // of the last frame in this epoch
    bool m_anyFrame = false;   // in this epoch
    bool m_ahead = false;      // a seek has advanced to the current frame, which is not delivered yet
    std::jthread m_thread;     // last, so that it ends before what it uses
};

}

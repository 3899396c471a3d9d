#include "core/live/frame.h"

namespace attnscope {

FramePool::FramePool(size_t frames)
{
    for (size_t i = 0; i < frames; ++i) {
        m_frames.push_back(std::make_unique<Frame>());
        m_free.push_back(m_frames.back().get());
    }
}

WritableFrame FramePool::take(int64_t width, int64_t height, std::stop_token stop)
{
    Frame* frame = nullptr;
    {
        std::unique_lock lock(m_mutex);
        if (!m_returned.wait(lock, stop, [this] { return !m_free.empty(); }) || stop.stop_requested())
            return {};
        frame = m_free.back();
        m_free.pop_back();
    }
    // Before the allocation, which may throw.
    WritableFrame held(frame, [pool = shared_from_this()](Frame* returned) { pool->giveBack(returned); });
    frame->width = width;
    frame->height = height;
    frame->stride = (width * 3 + 3) / 4 * 4;
    frame->jump = false;
    frame->rgb.resize(size_t(frame->stride * height));
    return held;
}

void FramePool::giveBack(Frame* frame)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_free.push_back(frame);
    }
    m_returned.notify_one();
}

}

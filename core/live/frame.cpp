// SPDX-License-Identifier: Apache-2.0
#include "core/live/frame.h"

namespace attnscope {

FrameRef::FrameRef(std::shared_ptr<FramePool> pool, Frame* frame)
    : m_pool(std::move(pool))
    , m_frame(frame)
{
    m_frame->m_holders.store(1, std::memory_order_relaxed);
}

FrameRef::FrameRef(const FrameRef& other)
    : m_pool(other.m_pool)
    , m_frame(other.m_frame)
{
    if (m_frame != nullptr)
        m_frame->m_holders.fetch_add(1, std::memory_order_relaxed);
}

FrameRef::FrameRef(FrameRef&& other) noexcept
    : m_pool(std::move(other.m_pool))
    , m_frame(std::exchange(other.m_frame, nullptr))
{}

FrameRef& FrameRef::operator=(FrameRef other) noexcept
{
    std::swap(m_pool, other.m_pool);
    std::swap(m_frame, other.m_frame);
    return *this;
}

FrameRef::~FrameRef()
{
    if (m_frame != nullptr && m_frame->m_holders.fetch_sub(1, std::memory_order_acq_rel) == 1)
        m_pool->giveBack(m_frame);
}

FramePool::FramePool(std::size_t frames)
{
    for (std::size_t i = 0; i < frames; ++i) {
        m_frames.push_back(std::make_unique<Frame>());
        m_free.push_back(m_frames.back().get());
    }
}

FrameRef FramePool::take(std::int64_t width, std::int64_t height, std::stop_token stop)
{
    Frame* frame = nullptr;
    {
        std::unique_lock lock(m_mutex);
        if (!m_returned.wait(lock, stop, [this] { return !m_free.empty(); }) || stop.stop_requested())
            return {};
        frame = m_free.back();
        m_free.pop_back();
    }
    frame->width = width;
    frame->height = height;
    frame->stride = (width * 3 + 3) / 4 * 4;
    frame->jump = false;
    FrameRef held(shared_from_this(), frame);  // before the allocation, which may throw
    frame->rgb.resize(static_cast<std::size_t>(frame->stride * height));
    return held;
}

std::size_t FramePool::held() const
{
    const std::lock_guard lock(m_mutex);
    return m_frames.size() - m_free.size();
}

void FramePool::giveBack(Frame* frame)
{
    {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(frame);
    }
    m_returned.notify_one();
}

}  // namespace attnscope

#include "core/live/play_decoder.h"

#include "core/base/error.h"

#include <algorithm>
#include <new>
#include <utility>

namespace attnscope {

PlayDecoder::PlayDecoder(Open open, FrameSink* sink, Size size)
    : m_open(std::move(open))
    , m_sink(sink)
    , m_size(size)
    , m_pool(std::make_shared<FramePool>(size.queue + size.shown + 2))  // plus those in use by the decoder
    , m_thread([this](std::stop_token stop) { onDecoderLoop(stop); })
{}

PlayDecoder::~PlayDecoder()
{
    m_thread.request_stop();
    m_thread.join();
}

void PlayDecoder::seek(int64_t pts, Reach reach)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_newest = {m_newest.request + 1, Task::Kind::Seek, pts, reach};
        m_seekWaits = true;
        m_status.seeking = true;
        m_status.atEnd = false;
        m_queue.clear();
    }
    m_work.notify_one();
}

void PlayDecoder::setLoop(bool loop)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_loop = loop;
    }
    m_work.notify_one();
}

FrameRef PlayDecoder::front() const
{
    const std::scoped_lock lock(m_mutex);
    return m_queue.empty() ? FrameRef() : m_queue.front();
}

void PlayDecoder::pop()
{
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_queue.empty())
            m_queue.pop_front();
    }
    m_work.notify_one();
}

size_t PlayDecoder::queued() const
{
    const std::scoped_lock lock(m_mutex);
    return m_queue.size();
}

bool PlayDecoder::hasWork() const
{
    if (m_status.failed)
        return false;
    if (m_seekWaits)
        return true;
    if (m_status.atEnd)
        return m_loop && m_info.seekable && m_status.endSeconds > 0;
    return m_info.live || m_queue.size() < m_size.queue;
}

PlayDecoder::Task PlayDecoder::nextTask()
{
    if (std::exchange(m_seekWaits, false))
        return m_newest;
    Task task{m_newest.request, m_status.atEnd ? Task::Kind::Wrap : Task::Kind::Frame};
    task.target = m_info.start;
    m_status.atEnd = false;
    return task;
}

bool PlayDecoder::outdated(const Task& task) const
{
    const std::scoped_lock lock(m_mutex);
    return task.request != m_newest.request;
}

void PlayDecoder::onDecoderLoop(std::stop_token stop)
{
    if (!onDecoderOpen(stop))
        return;
    while (true) {
        Task task;
        {
            std::unique_lock lock(m_mutex);
            if (!m_work.wait(lock, stop, [this] { return hasWork(); }) || stop.stop_requested())
                return;
            task = nextTask();
        }
        try {
            onDecoderTask(task, stop);
        } catch (const Cancelled&) {
            return;
        } catch (const std::bad_alloc&) {
            onDecoderFail(Error(m_source->info().name, "there is not enough memory for its frames").what());
        } catch (const std::exception& error) {
            onDecoderFail(error.what());
        }
    }
}

bool PlayDecoder::onDecoderOpen(std::stop_token stop)
{
    try {
        m_source = m_open(stop);
    } catch (const Cancelled&) {
        return false;
    } catch (const std::exception& error) {
        onDecoderFail(error.what());
        return false;
    }
    const std::scoped_lock lock(m_mutex);
    m_info = m_source->info();
    m_status.opened = true;
    if (m_newest.request == 0) {
        m_newest = {1, Task::Kind::Seek, m_info.start, Reach::Image};
        m_seekWaits = m_status.seeking = true;
    }
    return true;
}

void PlayDecoder::onDecoderTask(const Task& task, std::stop_token stop)
{
    if (task.kind == Task::Kind::Seek)
        onDecoderSeek(task, stop);
    else if (task.kind == Task::Kind::Frame)
        onDecoderPush(task, onDecoderOne(task, stop));
    else {
        m_lap += m_lastSeconds + 1 / m_info.rate;
        m_source->seek(task.target);
        m_ahead = false;
        onDecoderBegin();
    }
}

void PlayDecoder::onDecoderBegin()
{
    ++m_epoch;
    m_anyFrame = false;
    if (m_sink != nullptr)
        m_sink->begin(m_info, m_epoch);
}

void PlayDecoder::onDecoderSeek(const Task& task, std::stop_token stop)
{
    m_lap = 0;
    m_ahead = false;
    const bool here = m_epoch == 0 && task.target <= m_info.start;  // nothing decoded yet
    const double reach = m_sink != nullptr && task.reach == Reach::Sink ? m_sink->reach() : 0;
    const int64_t from = std::max(m_info.start, task.target - int64_t(reach / m_info.unit));
    const bool runUp = from < task.target && m_info.seekable;
    if (runUp)
        m_source->seek(from);
    onDecoderBegin();
    WritableFrame frame = runUp ? onDecoderRunUp(task, stop) : nullptr;
    if (!frame && !outdated(task)) {
        if (!here && m_info.seekable)
            m_source->seek(task.target);
        frame = onDecoderOne(task, stop);
    }
    if (!frame)
        return;
    frame->jump = true;
    onDecoderPush(task, std::move(frame));
}

/// Decodes up to the frame that is shown at the target, the last not after it; the sink sees all of them. Empty if that frame is so far
/// before the target that its pixels were not kept.
WritableFrame PlayDecoder::onDecoderRunUp(const Task& task, std::stop_token stop)
{
    WritableFrame shown;
    const auto near = int64_t(2 / m_info.rate / m_info.unit);
    while (!outdated(task) && m_source->advance()) {
        if (m_source->pts() > task.target) {
            m_ahead = shown != nullptr;
            return shown;
        }
        const bool candidate = m_source->pts() >= task.target - near;
        WritableFrame frame = onDecoderDeliver(candidate, stop);
        if (candidate)
            shown = std::move(frame);
    }
    return shown;
}

/// The next frame, or empty at the end.
WritableFrame PlayDecoder::onDecoderOne(const Task& task, std::stop_token stop)
{
    if (std::exchange(m_ahead, false) || m_source->advance())
        return onDecoderDeliver(true, stop);
    onDecoderEnd(task);
    return {};
}

/// Passes the current frame to the sink. Returns its pixels if needed for display.
WritableFrame PlayDecoder::onDecoderDeliver(bool drawn, std::stop_token stop)
{
    const double seconds = m_source->seconds();
    const bool wanted = m_sink != nullptr && m_sink->wants(seconds);
    m_anyFrame = true;
    m_lastSeconds = seconds;
    WritableFrame frame = drawn || wanted ? onDecoderPixels(stop) : nullptr;
    if (wanted)
        m_sink->take(*frame);
    return frame;
}

WritableFrame PlayDecoder::onDecoderPixels(std::stop_token stop)
{
    const SourceInfo& info = m_source->info();
    WritableFrame frame = m_pool->take(info.width, info.height, stop);
    if (!frame)
        throw Cancelled();
    m_source->write(frame->rgb.data(), frame->stride);
    frame->pts = m_source->pts();
    frame->seconds = m_source->seconds();
    frame->played = frame->seconds + m_lap;
    frame->epoch = m_epoch;
    return frame;
}

void PlayDecoder::onDecoderPush(const Task& task, FrameRef frame)
{
    const std::scoped_lock lock(m_mutex);
    if (!frame || task.request != m_newest.request)
        return;
    m_status.seeking = false;
    if (m_info.live && m_queue.size() >= m_size.queue)
        m_queue.pop_front();
    m_queue.push_back(std::move(frame));
}

void PlayDecoder::onDecoderEnd(const Task& task)
{
    if (m_sink != nullptr)
        m_sink->end();
    const std::scoped_lock lock(m_mutex);
    m_damage = m_source->damage();
    if (task.request != m_newest.request)
        return;
    m_status.atEnd = true;
    m_status.seeking = false;
    m_status.endSeconds = m_anyFrame ? std::max(m_status.endSeconds, m_lastSeconds + 1 / m_info.rate) : 0;
}

void PlayDecoder::onDecoderFail(const std::string& sentence)
{
    const std::scoped_lock lock(m_mutex);
    m_problem = sentence;
    m_status.failed = true;
    m_status.seeking = false;
}

}

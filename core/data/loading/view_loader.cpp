#include "core/data/loading/view_loader.h"

#include "core/base/error.h"

#include <algorithm>
#include <chrono>

namespace attnscope {

ViewLoader::ViewLoader(Plan plan)
    : m_plan(std::move(plan))
{
    m_plan.ahead = std::max<int64_t>(m_plan.ahead, 1);
    m_threadCount = size_t(std::max<int64_t>(m_plan.workers, 1));
    for (size_t i = 0; i < m_threadCount; ++i)
        m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

ViewLoader::~ViewLoader()
{
    for (std::jthread& thread : m_threads)
        thread.request_stop();
    m_changed.notify_all();
}

void ViewLoader::append(const std::vector<int64_t>& samples)
{
    const std::scoped_lock lock(m_mutex);
    m_plan.samples.insert(m_plan.samples.end(), samples.begin(), samples.end());
    m_changed.notify_all();
}

bool ViewLoader::put(size_t task, LoadedView view, const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    const auto room = [&] { return m_failure || int64_t(m_ready[task - m_next].size()) < m_plan.ahead; };
    if (!m_changed.wait(lock, stop, room) || m_failure)
        return false;
    m_ready[task - m_next].push_back(std::move(view));
    m_changed.notify_all();
    return true;
}

void ViewLoader::readOne(const ViewOpener& open, size_t task, int64_t sample, const std::stop_token& stop)
{
    LoadedView view;
    view.sample = sample;
    using Clock = std::chrono::steady_clock;
    auto begin = Clock::now();
    const auto count = [&] {
        const std::scoped_lock lock(m_mutex);
        m_worked += std::chrono::duration<double>(Clock::now() - begin).count();
    };
    try {
        const OpenedViews opened = open(view.sample);
        if (opened.count == 0)
            throw FileError("", "it has no view");
        view.count = opened.count;
        view.partial = opened.partial;
        for (; view.index < view.count; ++view.index) {
            LoadedView made = view;
            made.input = opened.view(view.index);
            count();
            if (!put(task, std::move(made), stop))
                return;
            begin = Clock::now();
        }
    } catch (const FileError& error) {
        count();
        view.reason = error.what();
        put(task, std::move(view), stop);
    }
}

void ViewLoader::work(const std::stop_token& stop)
{
    try {
        const ViewOpener open = m_plan.makeOpener();
        while (!stop.stop_requested()) {
            std::unique_lock lock(m_mutex);
            // Otherwise samples with few views would accumulate without limit.
            const auto isAtEnd = [&] { return m_task == m_plan.samples.size(); };
            const auto inReach = [&] {
                return m_failure || (isAtEnd() ? !m_plan.isOpen : m_ready.size() < 2 * m_threadCount);
            };
            if (!m_changed.wait(lock, stop, inReach) || m_failure || isAtEnd())
                return;
            const size_t task = m_task++;
            const int64_t sample = m_plan.samples[task];
            m_ready.emplace_back();
            lock.unlock();
            readOne(open, task, sample, stop);
        }
    } catch (...) {
        const std::scoped_lock lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

std::optional<LoadedView> ViewLoader::next(std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    if (m_next == m_plan.samples.size())
        return std::nullopt;
    const bool ready = m_changed.wait(lock, stop,
                                      [&] { return m_failure || (!m_ready.empty() && !m_ready.front().empty()); });
    if (m_failure)
        std::rethrow_exception(m_failure);
    if (!ready)
        throw Cancelled();
    LoadedView view = std::move(m_ready.front().front());
    m_ready.front().pop_front();
    if (view.last()) {
        m_ready.pop_front();
        ++m_next;
    }
    lock.unlock();
    m_changed.notify_all();
    return view;
}

ReaderLoad ViewLoader::load() const
{
    const std::scoped_lock lock(m_mutex);
    ReaderLoad load;
    load.workedSeconds = m_worked;
    for (const auto& views : m_ready)
        load.ready += int64_t(views.size());
    load.room = m_plan.ahead * int64_t(m_threadCount);
    return load;
}

}

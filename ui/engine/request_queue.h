#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace attnscope::ui {

/// Requests for the one worker, first in, first out. A newer request replaces the queued one of its tag in place, so that a
/// dragged slider or a held key never queues forty runs.
class RequestQueue {
public:
    struct Request {
        std::string tag;  ///< empty: never replaced
        std::function<void()> onWorker;
    };

    void post(Request request)
    {
        {
            const std::scoped_lock lock(m_mutex);
            for (Request& queued : m_requests)
                if (!request.tag.empty() && queued.tag == request.tag) {
                    queued = std::move(request);
                    return;
                }
            m_requests.push_back(std::move(request));
        }
        m_arrived.notify_one();
    }

    /// Waits for the next request; nothing once `stop` is requested.
    std::optional<Request> take(std::stop_token stop)
    {
        std::unique_lock lock(m_mutex);
        if (!m_arrived.wait(lock, stop, [this] { return !m_requests.empty(); }) || stop.stop_requested())
            return std::nullopt;
        Request next = std::move(m_requests.front());
        m_requests.pop_front();
        return next;
    }

    size_t size() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_requests.size();
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable_any m_arrived;
    std::deque<Request> m_requests;
};

/// A thread that serves a queue. Its destructor waits for the request under way and drops those that wait: to be among the last members
/// of what the requests use.
class RequestThread {
public:
    /// `served`, on the thread: what becomes of a request when it is done; else it ends there.
    explicit RequestThread(std::function<void(RequestQueue::Request)> served = {})
        : m_thread([this, served = std::move(served)](std::stop_token stop) {
            while (auto request = m_queue.take(stop)) {
                request->onWorker();
                if (served)
                    served(std::move(*request));
            }
        })
    {}

    void post(const std::string& tag, std::function<void()> onWorker) { m_queue.post({tag, std::move(onWorker)}); }
    /// After the request under way.
    void requestStop() { m_thread.request_stop(); }

private:
    RequestQueue m_queue;
    std::jthread m_thread;
};

}

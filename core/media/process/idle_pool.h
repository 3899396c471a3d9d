#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace attnscope {

/// Objects that take long to make, kept for the next user. Thread-safe.
template <typename Object>
class IdlePool {
public:
    /// The program's only one.
    static IdlePool& shared()
    {
        static IdlePool pool;
        return pool;
    }

    /// Null if none is idle.
    std::unique_ptr<Object> take()
    {
        const std::scoped_lock lock(m_mutex);
        if (m_idle.empty())
            return nullptr;
        std::unique_ptr<Object> object = std::move(m_idle.back());
        m_idle.pop_back();
        return object;
    }

    void giveBack(std::unique_ptr<Object> object)
    {
        const std::scoped_lock lock(m_mutex);
        if (object && m_idle.size() < mostIdle)
            m_idle.push_back(std::move(object));
    }

private:
    IdlePool() = default;

    static constexpr size_t mostIdle = 8;

    std::mutex m_mutex;
    std::vector<std::unique_ptr<Object>> m_idle;
};

}

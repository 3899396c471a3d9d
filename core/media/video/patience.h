#pragma once

#include "core/base/error.h"

#include <chrono>
#include <functional>
#include <stop_token>
#include <utility>

namespace attnscope {

/// How long one step may take, and whether it should stop. Checked by FFmpeg while it works, and by us between its calls.
class Patience {
public:
    /// `restarted` is called whenever the step succeeded and the next begins.
    Patience(std::stop_token stop, double seconds, std::function<void()> restarted = {})
        : m_stop(std::move(stop))
        , m_restarted(std::move(restarted))
        , m_length(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)))
    {
        restart();
    }

    void restart()
    {
        m_deadline = Clock::now() + m_length;
        if (m_restarted)
            m_restarted();
    }
    bool stopped() const { return m_stop.stop_requested(); }
    bool isOver() const { return stopped() || Clock::now() > m_deadline; }
    void throwIfStopped() const
    {
        if (stopped())
            throw Cancelled();
    }

    /// An AVIOInterruptCB's function; `self` is the Patience.
    static int interrupt(void* self) { return static_cast<const Patience*>(self)->isOver() ? 1 : 0; }

private:
    using Clock = std::chrono::steady_clock;

    std::stop_token m_stop;
    std::function<void()> m_restarted;
    Clock::duration m_length;
    Clock::time_point m_deadline;
};

}

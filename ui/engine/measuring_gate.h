// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace attnscope::ui {

/// Keeps measuring and training apart, so that no latency is taken under the load of a training: whoever measures waits until the
/// training has come to rest between two steps, and the training goes on afterwards, without having lost anything.
class MeasuringGate {
public:
    /// For as long as it lives, nothing trains. Its constructor waits for the step under way, or for `stop`.
    class Measuring {
    public:
        Measuring(MeasuringGate& gate, std::stop_token stop);
        ~Measuring();
        Measuring(const Measuring&) = delete;
        Measuring& operator=(const Measuring&) = delete;

    private:
        MeasuringGate& m_gate;
    };

    /// For as long as it lives, a training works; its constructor waits while something is measured, or for `stop`.
    class Training {
    public:
        Training(MeasuringGate& gate, std::stop_token stop);
        ~Training();
        Training(const Training&) = delete;
        Training& operator=(const Training&) = delete;

    private:
        MeasuringGate& m_gate;
    };

    /// Of the training, between two steps: something is measured, or waits to be.
    bool wanted() const;
    /// Of the training, between two steps: rests until nothing is measured any more, or for `stop`.
    void rest(std::stop_token stop);

private:
    void waitForTurn(std::unique_lock<std::mutex>& lock, std::stop_token stop);

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    int m_measuring = 0;
    bool m_working = false;
};

}  // namespace attnscope::ui

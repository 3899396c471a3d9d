#pragma once

#include <array>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace attnscope::ui {

/// Keeps those apart who want the whole machine, so that no latency is taken under the load of another job. Whoever comes later in the
/// order of `Work` rests between two of its steps, and goes on afterwards, without having lost anything.
class MeasuringGate {
public:
    /// Who goes first, to who goes last. Measuring is what the engine's worker does: a comparison, an inspection of layers, predictions
    /// while Live plays.
    enum class Work { Measuring, Laboratory, Evaluating, Training };

    /// For as long as it lives and does not rest, nobody after it in the order works, and no other kind of work begins.
    class Turn {
    public:
        /// Waits while somebody goes first, and for the step under way of the others, or for `stop`.
        Turn(MeasuringGate& gate, Work work, std::stop_token stop);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        /// Between two steps: somebody who goes first is there.
        bool wanted() const;
        /// Between two steps: rests until nobody goes first any more, or for `stop`.
        void rest(std::stop_token stop);
        /// Within a step that waits for something else than the machine: nobody waits for it, until it is back.
        void finish();
        /// Waits as the constructor does.
        void comeBack(std::stop_token stop);

    private:
        void wait(std::unique_lock<std::mutex>& lock, std::stop_token stop);
        MeasuringGate& m_gate;
        Work m_work;
        bool m_away = true;
    };

    /// Whether such work, if it began now, would have to wait first.
    bool waits(Work work) const;

private:
    static constexpr size_t indexOf(Work work) { return size_t(work); }
    bool somebodyGoesBefore(Work work) const;
    bool anotherWorks(Work work) const;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::array<int, 4> m_present{}, m_working{};
};

}

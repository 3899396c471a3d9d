// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace attnscope::ui {

/// Keeps those apart who want the whole machine, so that no latency is taken under the load of another job: what the engine's worker does
/// (a comparison, an inspection of layers, answers while Live plays) goes first, then the laboratory, then an evaluation, then a training.
/// Whoever comes later in this order rests between two of its steps, and goes on afterwards, without having lost anything.
class MeasuringGate {
    enum Work { MeasuringWork, LaboratoryWork, EvaluatingWork, TrainingWork, WorkCount };

    class Turn {
    public:
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        /// Between two steps: somebody who goes first is there.
        bool wanted() const;
        /// Between two steps: rests until nobody goes first any more, or for `stop`.
        void rest(std::stop_token stop);
        /// Within a step that waits for something else than the machine: nobody waits for it, until it is back.
        void leave();
        /// Waits as the constructor does.
        void comeBack(std::stop_token stop);

    protected:
        Turn(MeasuringGate& gate, Work work, std::stop_token stop);

    private:
        void wait(std::unique_lock<std::mutex>& lock, std::stop_token stop);
        MeasuringGate& m_gate;
        Work m_work;
        bool m_away = true;
    };

public:
    /// For as long as it lives, nobody else works: it is the engine's worker's. Its constructor waits for the step under way, or for `stop`.
    class Measuring : public Turn {
    public:
        Measuring(MeasuringGate& gate, std::stop_token stop)
            : Turn(gate, MeasuringWork, std::move(stop))
        {}
    };

    /// For as long as it lives and does not rest, nothing evaluates or trains, and no comparison begins; its constructor waits while one
    /// measures, and for the step under way of the others, or for `stop`.
    class Laboratory : public Turn {
    public:
        Laboratory(MeasuringGate& gate, std::stop_token stop)
            : Turn(gate, LaboratoryWork, std::move(stop))
        {}
    };

    /// For as long as it lives and does not rest, nothing trains; its constructor waits while something is measured, and for the step
    /// of a training under way, or for `stop`.
    class Evaluating : public Turn {
    public:
        Evaluating(MeasuringGate& gate, std::stop_token stop)
            : Turn(gate, EvaluatingWork, std::move(stop))
        {}
    };

    /// For as long as it lives, a training works; its constructor waits while something is measured or evaluated, or for `stop`.
    class Training : public Turn {
    public:
        Training(MeasuringGate& gate, std::stop_token stop)
            : Turn(gate, TrainingWork, std::move(stop))
        {}
    };

    /// Whether one of these, if it began now, would have to wait first.
    bool measuringWaits() const;
    bool trainingWaits() const;
    bool evaluatingWaits() const;
    bool laboratoryWaits() const;

private:
    bool somebodyGoesBefore(Work work) const;
    bool anotherWorks(Work work) const;

    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::array<int, WorkCount> m_present{}, m_working{};
};

}  // namespace attnscope::ui

#pragma once

#include "ui/engine/measuring_gate.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <atomic>
#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

namespace attnscope::ui {

/// A sentence of the engine, with the window's own ways in place of the command line's options.
QString inWindow(const char* sentence);

/// Calls `work` at the edge of a thread: what it throws ends here, as `cancelled()`, or as one sentence for `failed`.
template <std::invocable Work, std::invocable<QString> Failed, std::invocable WhenCancelled>
void guarded(Work&& work, Failed&& failed, WhenCancelled&& cancelled)
{
    try {
        work();
    } catch (const Cancelled&) {
        cancelled();
    } catch (const std::exception& error) {
        failed(inWindow(error.what()));
    }
}

/// The same for work that nobody cancels.
template <std::invocable Work, std::invocable<QString> Failed>
void guarded(Work&& work, Failed&& failed)
{
    guarded(work, failed, [&] { failed(toQt(Cancelled().what())); });
}

/// Limits progress to ten reports a second.
class ReportRate {
public:
    bool isDue();

private:
    std::chrono::steady_clock::time_point m_last{};
};

/// What a job has of the thread that it runs on: its token to stop, and its turn at the measuring gate.
class WorkerTurn {
public:
    using Resting = std::function<void(bool resting)>;
    /// Waits for its turn; without a gate, for nobody. `resting` is told when it begins and ends to wait.
    WorkerTurn(MeasuringGate* gate, MeasuringGate::Work work, Resting resting, std::stop_token stop);

    const std::stop_token& stop() const { return m_stop; }
    bool isStopped() const { return m_stop.stop_requested(); }
    /// Between two steps: lets whoever goes first have the machine.
    void restIfWanted();
    /// Within a step that waits for something else than the machine.
    void finish()
    {
        if (m_turn)
            m_turn->finish();
    }
    void comeBack();

private:
    template <std::invocable Wait>
    void waitResting(bool rests, Wait wait);

    MeasuringGate* m_gate;
    MeasuringGate::Work m_work;
    Resting m_resting;
    std::stop_token m_stop;
    std::optional<MeasuringGate::Turn> m_turn;
};

/// One job at a time on a thread of its own, in its turn at the measuring gate. Its destructor stops the job and waits for it: to be the
/// last member of what the job uses.
class WorkerThread {
public:
    /// How a job ended, told once the thread may take the next one.
    using LastWord = std::function<void()>;
    /// All are called on the thread.
    struct Job {
        std::function<LastWord(WorkerTurn&)> work;
        LastWord cancelled;  ///< when `work` throws Cancelled, or was stopped before its turn came
        std::function<void(const QString& sentence)> failed;
        WorkerTurn::Resting resting = [](bool) {};
    };

    /// Without a gate, jobs wait for nobody.
    explicit WorkerThread(std::shared_ptr<MeasuringGate> gate = {},
                          MeasuringGate::Work work = MeasuringGate::Work::Training);

    /// Nothing may be under way.
    void start(Job job);
    void requestStop() { m_thread.request_stop(); }
    bool isRunning() const { return m_running; }

private:
    void run(const Job& job, std::stop_token stop);

    std::shared_ptr<MeasuringGate> m_gate;
    MeasuringGate::Work m_work;
    std::atomic<bool> m_running{false};
    std::jthread m_thread;
};

}

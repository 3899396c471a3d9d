#pragma once

#include "ui/engine/engine.h"
#include "ui/engine/guarded.h"

#include "core/base/progress.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace attnscope::ui {

class TaskBase;

/// What a task has of the thread that it runs on. To be used there alone.
class TaskTurn {
public:
    ModelCache& models() const { return m_engine.models(); }
    Engine& engine() const { return m_engine; }
    const std::stop_token& stop() const { return m_stop; }
    bool isStopped() const { return m_stop.stop_requested(); }
    /// Calls `onWindow` on the window's thread, unless the task has ended or is gone by then.
    void post(std::function<void()> onWindow) const;
    /// Between two steps: lets whoever goes first have the machine, and waits while the window holds the task.
    void rest();
    /// Ten times a second.
    bool isDue() { return m_rate.isDue(); }
    /// Tells how far it is, whenever that is due, and rests.
    void report(const Progress& step);
    ProgressCallback progress()
    {
        return [this](const Progress& step) { report(step); };
    }
    /// Tells the window and waits, while others have the machine, until it releases the task or stops it.
    void waitForRelease(std::function<void()> onWindow);

private:
    friend class TaskBase;
    struct Hold {
        std::mutex mutex;
        std::condition_variable_any changed;
        bool held = false;
    };
    TaskTurn(TaskBase& task, std::stop_token stop);
    void waitResting(bool rests, const std::function<void()>& wait);
    void takeTurn();
    void waitWhileHeld(std::unique_lock<std::mutex>& lock);

    Engine& m_engine;
    std::optional<MeasuringGate::Work> m_work;
    QPointer<TaskBase> m_task;
    quint64 m_generation;
    std::shared_ptr<Hold> m_hold;
    std::stop_token m_stop;
    std::optional<MeasuringGate::Turn> m_turn;
    ReportRate m_rate;
    std::string m_what;
};

/// A job of a session: how far it is and how it ended. It runs in its turn at the measuring gate, on a thread of its own, or with a tag on the
/// engine's worker, where a newer one takes the place of what waits or runs. What it tells arrives on the window's thread. Its destructor
/// stops the job and waits for its own thread: to be the last member of what the job uses.
class TaskBase : public QObject {
    Q_OBJECT
public:
    struct Place {
        std::optional<MeasuringGate::Work> work;  ///< empty: waits for nobody
        std::string tag = {};                     ///< of the engine's worker; empty: a thread of its own
    };
    ~TaskBase() override;

    bool isRunning() const { return m_running; }
    bool isResting() const { return m_resting; }
    bool isStopping() const { return m_stopping; }
    /// The last one was stopped before it had a result.
    bool wasCancelled() const { return m_cancelled; }
    /// Why the last one failed; empty: it did not.
    QString failure() const { return m_failure; }
    const Progress& step() const { return m_step; }
    /// Fraction of the step's total.
    double part() const;
    /// Since it began.
    double seconds() const { return double(m_clock.elapsed()) / 1000; }
    /// Since `step().what` is what it is.
    double stepSeconds() const { return double(m_stepClock.elapsed()) / 1000; }

    /// Stops after the step under way: `ended`, with what is finished.
    void stop();
    /// Of the engine's worker: ends at once for the window; what comes late is dropped.
    void drop();
    /// Waits after the step under way, or goes on; nothing is lost.
    void hold(bool held);

signals:
    /// Began, rests, stops, ended.
    void stateChanged();
    void restingChanged(bool resting);
    void progressed();
    /// There is a report of what is known so far.
    void grew();
    void failed(const QString& sentence);
    /// The last word, after `failed` if it failed; the next one can be started.
    void ended();

protected:
    using Done = std::function<void()>;
    TaskBase(Engine& engine, Place place);
    /// `job` runs there; what it returns is called on the window's thread before `ended`.
    void launch(int64_t threads, std::function<Done(TaskTurn&)> job);

private:
    friend class TaskTurn;
    void end();

    Engine& m_engine;
    Place m_place;
    quint64 m_generation = 0;
    bool m_running = false, m_resting = false, m_stopping = false, m_cancelled = false;
    QString m_failure;
    Progress m_step;
    QElapsedTimer m_clock, m_stepClock;
    std::shared_ptr<TaskTurn::Hold> m_hold = std::make_shared<TaskTurn::Hold>();
    std::stop_source m_stop;
    std::jthread m_thread;
};

/// A task with what was asked and what came of it.
template <typename Request, typename Report>
class Task : public TaskBase {
public:
    using Grew = std::function<void(const Report&)>;
    /// The calls into core and models; throws what they throw. Tests bring their own.
    using Measure = std::function<Report(const Request&, TaskTurn&, const Grew&)>;

    Task(Engine& engine, Place place, Measure measure)
        : TaskBase(engine, std::move(place))
        , m_measure(std::move(measure))
    {}

    /// This build can do it.
    bool isBuilt() const { return bool(m_measure); }
    const Request& request() const { return m_request; }
    /// Null: there is none.
    const std::shared_ptr<const Report>& report() const { return m_report; }

    /// On a thread of its own, nothing may be under way. `known`: the report until there is another one.
    void start(const Request& request, int64_t threads, std::shared_ptr<const Report> known = {})
    {
        m_request = request;
        m_report = std::move(known);
        launch(threads, [this, request, measure = m_measure](TaskTurn& turn) -> Done {
            const auto take = [this](Report report) {
                return [this, shared = std::make_shared<const Report>(std::move(report))] { m_report = shared; };
            };
            const Grew grew = [this, &take, &turn](const Report& report) {
                turn.post([this, set = take(report)] {
                    set();
                    emit this->grew();
                });
            };
            return take(measure(request, turn, grew));
        });
    }

private:
    Measure m_measure;
    Request m_request;
    std::shared_ptr<const Report> m_report;
};

}

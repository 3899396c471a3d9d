#include "ui/engine/task.h"

#include "core/device/freed_memory.h"

#include <algorithm>

namespace attnscope::ui {

TaskTurn::TaskTurn(TaskBase& task, std::stop_token stop)
    : m_engine(task.m_engine)
    , m_work(task.m_place.work)
    , m_task(&task)
    , m_generation(task.m_generation)
    , m_hold(task.m_hold)
    , m_stop(std::move(stop))
{}

void TaskTurn::post(std::function<void()> onWindow) const
{
    QMetaObject::invokeMethod(
        &m_engine,
        [task = m_task, generation = m_generation, act = std::move(onWindow)] {
            if (task && task->m_running && task->m_generation == generation)
                act();
        },
        Qt::QueuedConnection);
}

void TaskTurn::waitResting(bool rests, const std::function<void()>& wait)
{
    const auto reportResting = [this](bool resting) {
        post([task = m_task, resting] {
            task->m_resting = resting;
            emit task->restingChanged(resting);
            emit task->stateChanged();
        });
    };
    if (rests)
        reportResting(true);
    wait();
    if (rests)
        reportResting(false);
}

void TaskTurn::takeTurn()
{
    if (m_work)
        waitResting(m_engine.gate()->waits(*m_work),
                    [this] { m_turn.emplace(*m_engine.gate(), *m_work, m_stop); });
}

void TaskTurn::rest()
{
    if (m_turn && m_turn->wanted() && !isStopped())
        waitResting(true, [this] { m_turn->rest(m_stop); });
    if (std::unique_lock lock(m_hold->mutex); m_hold->held)
        waitWhileHeld(lock);
}

void TaskTurn::waitForRelease(std::function<void()> onWindow)
{
    std::unique_lock lock(m_hold->mutex);
    m_hold->held = true;
    post(std::move(onWindow));
    waitWhileHeld(lock);
}

/// It may take until tomorrow: others have the machine until then.
void TaskTurn::waitWhileHeld(std::unique_lock<std::mutex>& lock)
{
    if (m_turn)
        m_turn->finish();
    m_hold->changed.wait(lock, m_stop, [this] { return !m_hold->held; });
    lock.unlock();
    if (m_turn)
        waitResting(m_engine.gate()->waits(*m_work), [this] { m_turn->comeBack(m_stop); });
}

void TaskTurn::report(const Progress& step)
{
    const bool begins = step.done <= 1 && step.what != m_what;
    if (isDue() || begins || step.done == step.total) {
        m_what = step.what;
        post([task = m_task, step] {
            if (step.what != task->m_step.what)
                task->m_stepClock.start();
            task->m_step = step;
            emit task->progressed();
        });
    }
    rest();
}

TaskBase::TaskBase(Engine& engine, Place place)
    : m_engine(engine)
    , m_place(std::move(place))
{}

TaskBase::~TaskBase()
{
    m_stop.request_stop();
}

double TaskBase::part() const
{
    return m_step.total > 0 ? std::min(1.0, double(m_step.done) / double(m_step.total)) : 0;
}

void TaskBase::launch(int64_t threads, std::function<Done(TaskTurn&)> job)
{
    if (m_running && m_place.tag.empty())
        qFatal("a job was started while another one runs");
    m_stop.request_stop();
    m_thread = {};  // joins the one before, which has said its last word
    m_stop = std::stop_source();
    m_running = true;
    m_resting = m_stopping = m_cancelled = false;
    m_step = {};
    m_failure.clear();
    m_clock.start();
    m_stepClock.start();
    ++m_generation;
    hold(false);
    auto run = [turn = std::shared_ptr<TaskTurn>(new TaskTurn(*this, m_stop.get_token())), threads,
                job = std::move(job), own = m_place.tag.empty()] {
        const QPointer<TaskBase> task = turn->m_task;
        Done done = [] {};
        const auto work = [&] {
            std::optional<FreedMemoryReturn> after;
            if (own)
                after.emplace();
            if (!turn->isStopped())
                turn->takeTurn();
            if (turn->isStopped())
                throw Cancelled();
            if (turn->m_work)
                setThreads(threads);
            done = job(*turn);
        };
        guarded(
            work,
            [&](const QString& sentence) {
                done = [task, sentence] { emit task->failed(task->m_failure = sentence); };
            },
            [&] { done = [task] { task->m_cancelled = true; }; });
        turn->m_turn.reset();
        turn->post([task, done = std::move(done)] {
            task->m_running = task->m_resting = task->m_stopping = false;
            done();
            task->end();
        });
    };
    m_place.tag.empty() ? void(m_thread = std::jthread(std::move(run)))
                        : m_engine.post(m_place.tag, std::move(run));
    emit stateChanged();
}

void TaskBase::end()
{
    emit ended();
    emit stateChanged();
}

void TaskBase::stop()
{
    if (!m_running || m_stopping)
        return;
    m_stopping = true;
    m_stop.request_stop();
    emit stateChanged();
}

void TaskBase::drop()
{
    if (!m_running)
        return;
    m_stop.request_stop();
    ++m_generation;
    m_running = m_resting = m_stopping = false;
    m_cancelled = true;
    end();
}

void TaskBase::hold(bool held)
{
    {
        const std::scoped_lock lock(m_hold->mutex);
        m_hold->held = held;
    }
    m_hold->changed.notify_all();
}

}

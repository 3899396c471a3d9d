#include "core/evaluate/queue/shared_work.h"

#include "core/base/error.h"

#include <utility>

namespace attnscope {

namespace {

using namespace std::chrono_literals;

/// Between looks for messages: MPI's own waiting would occupy a processor.
constexpr auto pause = 1ms;
/// How long a process that is idle waits for news at a time.
constexpr auto moment = 20ms;
/// How long the end waits for processes that are busy or lost.
constexpr auto patience = 10s;

}

SharedWork::SharedWork(Collective& processes, std::vector<int64_t> batches, std::stop_token stop)
    : m_processes(processes)
    , m_stop(std::move(stop))
    , m_stopped(m_stop, [this] { m_over.request_stop(); })
    , m_queue(batches, processes.size())
{
    if (!processes.isFirst())
        post(0, Kind::Hello);  // before the thread, and so without the lock
    if (processes.size() == 1)
        m_given = std::move(batches);
    else
        m_thread = std::jthread([this](const std::stop_token& over) { exchange(over); });
}

SharedWork::~SharedWork()
{
    if (!m_thread.joinable())
        return;
    {
        std::unique_lock lock(m_mutex);
        if (m_processes.isFirst()) {
            end(State::Cancelled);  // unless it is done
            waitFor(lock, [this] { return m_present.empty(); });
            if (!m_present.empty())
                m_processes.abandon();
        } else {
            if (m_state == State::Going && m_stop.stop_requested())
                post(0, Kind::Stopped);
            waitFor(lock, [this] { return m_state != State::Going || !m_stop.stop_requested(); });
            post(0, Kind::Left);
        }
    }
    m_thread.request_stop();
}

void SharedWork::waitFor(std::unique_lock<std::mutex>& lock, const std::function<bool()>& condition)
{
    m_changed.wait_for(lock, patience, [&] { return m_problem || condition(); });
}

double SharedWork::now() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

bool SharedWork::isOver()
{
    const std::scoped_lock lock(m_mutex);
    if (m_problem)
        std::rethrow_exception(m_problem);
    if (m_stop.stop_requested() || m_state == State::Cancelled)
        throw Cancelled();
    return m_processes.isFirst() ? m_queue.isDone() && m_arrived.empty() : m_state == State::Done;
}

std::vector<int64_t> SharedWork::take(bool isIdle)
{
    std::unique_lock lock(m_mutex);
    std::vector<int64_t> more = std::exchange(m_given, {});
    if (m_processes.isFirst() && m_thread.joinable())
        more = m_queue.take(0, now());
    if (more.empty() && isIdle && m_arrived.empty() && m_state == State::Going)
        m_changed.wait_for(lock, moment);
    return more;
}

void SharedWork::finish(BatchMessage message)
{
    const std::scoped_lock lock(m_mutex);
    if (m_processes.isFirst())
        add(0, std::move(message));
    else
        post(0, Kind::Result, encode(message));
}

std::vector<BatchMessage> SharedWork::arrived()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_arrived, {});
}

std::vector<std::string> SharedWork::failures()
{
    const std::scoped_lock lock(m_mutex);
    return m_failures;
}

void SharedWork::setFailures(std::vector<std::string> failures)
{
    const std::scoped_lock lock(m_mutex);
    m_failures = std::move(failures);
}

void SharedWork::post(int64_t to, Kind kind, std::vector<double> numbers)
{
    numbers.push_back(double(kind));
    m_out.push_back({to, std::move(numbers)});
}

void SharedWork::add(int64_t process, BatchMessage message)
{
    if (m_queue.finish(process, message.batch.number, now()))
        m_arrived.push_back(std::move(message));
    if (m_queue.isDone())
        end(State::Done);
    m_changed.notify_all();
}

/// The first process ends it for all.
void SharedWork::end(State state)
{
    if (m_state != State::Going)
        return;
    m_state = state;
    for (int64_t process = 1; process < m_processes.size(); ++process)
        post(process, Kind::End, {double(state)});
    m_over.request_stop();
}

void SharedWork::handOut()
{
    if (m_state == State::Going)
        for (const int64_t process : m_present)
            if (auto batches = m_queue.take(process, now()); !batches.empty()) {
                BatchMessage message;
                message.batch.samples = std::move(batches);
                message.failures = m_failures;
                post(process, Kind::Batches, encode(message));
            }
}

void SharedWork::handle(const Collective::Message& message)
{
    std::vector<double> numbers = message.numbers;
    if (numbers.empty())
        throw Error("MPI", "a process sent nothing", "start all of them with the same program");
    const auto kind = Kind(int(numbers.back()));
    numbers.pop_back();
    switch (kind) {
    case Kind::Hello:
        m_present.insert(message.from);
        break;
    case Kind::Result:
        add(message.from, decode(numbers));
        break;
    case Kind::Stopped:
        end(State::Cancelled);
        break;
    case Kind::Left:
        m_present.erase(message.from);
        break;
    case Kind::Batches: {
        BatchMessage given = decode(numbers);
        m_given.insert(m_given.end(), given.batch.samples.begin(), given.batch.samples.end());
        m_failures = std::move(given.failures);
        break;
    }
    case Kind::End:
        m_state = numbers.front() == double(State::Done) ? State::Done : State::Cancelled;
        m_over.request_stop();
        break;
    }
    m_changed.notify_all();
}

/// The thread: all messages of this process go through it.
void SharedWork::exchange(const std::stop_token& stop)
try {
    for (bool isLast = false; !isLast; std::this_thread::sleep_for(pause)) {
        isLast = stop.stop_requested();
        const std::scoped_lock lock(m_mutex);
        while (const auto message = m_processes.receive())
            handle(*message);
        if (m_processes.isFirst())
            handOut();
        for (const Collective::Message& message : std::exchange(m_out, {}))
            m_processes.send(message.from, message.numbers);
    }
} catch (...) {
    const std::scoped_lock lock(m_mutex);
    m_problem = std::current_exception();
    m_changed.notify_all();
}

}

#pragma once

#include "core/distributed/collective.h"
#include "core/evaluate/batch_message.h"
#include "core/evaluate/queue/work_queue.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace attnscope {

/// The batches of an evaluation among its processes: the first one hands them out and gets what the others predicted, by a thread that does
/// nothing else, so that nobody waits for a forward pass of another. With one process there is no thread, and it gets all batches at once.
///
/// From the constructor to the destructor no other function of `processes` may be called.
class SharedWork {
public:
    /// `batches`: those that are left; only the first process's count.
    SharedWork(Collective& processes, std::vector<int64_t> batches, std::stop_token stop);
    /// Tells the others that it is over, and waits until they have heard it, but not for lost ones.
    ~SharedWork();
    SharedWork(const SharedWork&) = delete;
    SharedWork& operator=(const SharedWork&) = delete;

    /// Whether all batches are done, and in the first process have been taken from `arrived`. Throws Cancelled if any process was stopped, and
    /// Error if they can't exchange data.
    bool isOver();
    /// More batches for this process. If it is idle, waits a moment for them.
    std::vector<int64_t> take(bool isIdle);
    /// A batch of this process.
    void finish(BatchMessage message);
    /// In the first process: batches that were finished since the last call.
    std::vector<BatchMessage> arrived();
    /// Sentences about runs that failed anywhere (in others: as the first process has last said).
    std::vector<std::string> failures();
    void setFailures(std::vector<std::string> failures);
    /// Requested if this process is stopped, and when what it still does is not needed any more.
    std::stop_token stopToken() const { return m_over.get_token(); }

private:
    enum class Kind { Hello, Result, Stopped, Left, Batches, End };
    enum class State { Going, Done, Cancelled };

    // With the lock.
    void post(int64_t to, Kind kind, std::vector<double> numbers = {});
    void handle(const Collective::Message& message);
    void add(int64_t process, BatchMessage message);
    void handOut();
    void end(State state);

    void exchange(const std::stop_token& stop);
    void waitFor(std::unique_lock<std::mutex>& lock, const std::function<bool()>& condition);
    double now() const;

    Collective& m_processes;
    std::stop_token m_stop;
    std::stop_source m_over;
    std::stop_callback<std::function<void()>> m_stopped;
    const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::mutex m_mutex;
    std::condition_variable m_changed;
    State m_state = State::Going;
    WorkQueue m_queue;                    // of the first process
    std::set<int64_t> m_present;          // other processes that take batches
    std::vector<BatchMessage> m_arrived;  // not taken yet
    std::vector<int64_t> m_given;         // to this process, not taken yet
    std::vector<std::string> m_failures;
    std::vector<Collective::Message> m_out;  // to be sent; `from` is to whom
    std::exception_ptr m_problem;
    std::jthread m_thread;
};

}

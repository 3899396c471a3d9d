#include "core/evaluate/queue/work_queue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace attnscope {

namespace {

/// Batches that a process holds at most: one in the network and those that its threads read ahead.
constexpr size_t maxHeld = 4;
/// A batch is predicted by so many processes at most.
constexpr int64_t maxCopies = 3;

}

WorkQueue::WorkQueue(std::vector<int64_t> batches, int64_t processes)
    : m_batches(std::move(batches))
    , m_processes(size_t(processes))
{}

std::vector<int64_t> WorkQueue::take(int64_t process, double now)
{
    Process& own = m_processes[size_t(process)];
    // With two batches left for each process, the slowest might otherwise still be busy with what it holds when all others have ended.
    const size_t wanted = std::min(maxHeld, 1 + (m_batches.size() - m_next) / (2 * m_processes.size()));
    std::vector<int64_t> more;
    while (own.held.size() + more.size() < wanted && m_next < m_batches.size())
        more.push_back(m_batches[m_next++]);
    if (more.empty() && own.held.empty())
        if (const auto copy = lastToEnd(own, now))
            more.push_back(*copy);
    if (own.held.empty())
        own.since = now;
    own.held.insert(own.held.end(), more.begin(), more.end());
    return more;
}

bool WorkQueue::finish(int64_t process, int64_t batch, double now)
{
    Process& own = m_processes[size_t(process)];
    std::erase(own.held, batch);
    const double seconds = now - std::exchange(own.since, now);
    own.seconds = own.seconds > 0 ? (own.seconds + seconds) / 2 : seconds;
    return m_finished.insert(batch).second;
}

/// The batch that other processes will finish last, unless this one would take longer. One that is late is expected to take as long again
/// as it is late.
std::optional<int64_t> WorkQueue::lastToEnd(const Process& free, double now) const
{
    struct Expected {
        double seconds = 1e300;
        int64_t copies = 0;
    };
    std::map<int64_t, Expected> expected;
    for (const Process& process : m_processes) {
        const double spent = now - process.since, each = std::max(process.seconds, spent);
        double seconds = std::abs(process.seconds - spent);
        for (const int64_t batch : process.held) {
            Expected& one = expected[batch];
            one.seconds = std::min(one.seconds, seconds);
            ++one.copies;
            seconds += each;
        }
    }
    std::erase_if(expected, [&](const auto& one) {
        return m_finished.contains(one.first) || one.second.copies >= maxCopies
               || one.second.seconds <= free.seconds;
    });
    const auto last = std::ranges::max_element(expected, {}, [](const auto& one) { return one.second.seconds; });
    return last == expected.end() ? std::nullopt : std::optional(last->first);
}

}

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

namespace attnscope {

/// Hands out the batches of an evaluation to processes, each a few at a time when it is free, so that fast and slow ones end together.
/// Independent of torch and MPI; times are seconds of any clock.
///
/// A process holds up to four batches, so that it can read ahead, and towards the end fewer. When none is left, one that is free gets a copy of
/// the batch that will otherwise be finished last, if it will be faster: so slow processes do not hold up the end, and what a lost
/// process held is done by others without anyone having to notice the loss.
class WorkQueue {
public:
    WorkQueue(std::vector<int64_t> batches, int64_t processes);

    /// More batches for a process; none while it has enough.
    std::vector<int64_t> take(int64_t process, double now);
    /// A process has predicted a batch. False if another one was faster.
    bool finish(int64_t process, int64_t batch, double now);
    /// Whether every batch is finished.
    bool isDone() const { return m_finished.size() == m_batches.size(); }

private:
    struct Process {
        std::deque<int64_t> held;
        double since = 0;    // when it began with the first of them
        double seconds = 0;  // of a batch; 0: not known yet
    };
    std::optional<int64_t> lastToEnd(const Process& free, double now) const;

    std::vector<int64_t> m_batches;
    size_t m_next = 0;
    std::set<int64_t> m_finished;
    std::vector<Process> m_processes;
};

}

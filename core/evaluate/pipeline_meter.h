#pragma once

#include "core/data/loading/batch_loader.h"
#include "core/evaluate/evaluate.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

/// Independent of torch.
namespace attnscope {

/// Where the time of an evaluation went in its last ten seconds.
class PipelineMeter {
public:
    explicit PipelineMeter(int64_t workers);

    /// A batch was stored. The seconds of this batch: waiting for samples, in forward passes, in the store.
    void add(int64_t samples, double waited, double computed, double stored, const ReaderLoad& readers);
    PipelineLoad load() const;
    /// Empty until three batches are done: the median of the last 30 times the number of remaining batches.
    std::optional<double> secondsFor(int64_t batches) const;

private:
    using Clock = std::chrono::steady_clock;
    struct Mark {
        Clock::time_point time;
        int64_t samples = 0;
        double waited = 0, computed = 0, stored = 0, decoded = 0;  // since the beginning
    };
    int64_t m_workers;
    Mark m_now{Clock::now()};
    std::deque<Mark> m_marks{m_now};
    std::deque<double> m_batches;  // seconds of the last batches
    ReaderLoad m_readers;
};

}

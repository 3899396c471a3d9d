#pragma once

#include "ui/train/training_task.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// Stands in for the trainer in tests of the window: nothing is trained here and no figure means anything.
namespace attnscope::ui::test {

struct TrainScript {
    std::atomic<int> stepMs{1};
    std::atomic<int> steps{20};       ///< of an epoch
    std::atomic<int> failAtEpoch{0};  ///< the loss of its third step is no number; 0: never
    std::atomic<bool> validates{true}, hold{false};
    std::atomic<int> samples{960};
    std::atomic<int> stepsTaken{0};
    std::atomic<int> demos{0};  ///< that were written
    std::string demoProblem;    ///< why none can be

    void remember(const TrainRequest& request)
    {
        const std::lock_guard lock(mutex);
        requests.push_back(request);
    }
    std::vector<TrainRequest> requested() const
    {
        const std::lock_guard lock(mutex);
        return requests;
    }

    mutable std::mutex mutex;
    std::vector<TrainRequest> requests;
};

/// Writes the files that a training writes, each with a line of text.
TrainingBackend scriptedTraining(std::shared_ptr<TrainScript> script);

}

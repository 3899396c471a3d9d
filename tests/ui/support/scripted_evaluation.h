#pragma once

#include "ui/batch/evaluation_task.h"
#include "ui/engine/store_reader.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// Stands in for the evaluation in tests of the window: no network runs here and no figure means anything. What it "predicts" depends on
/// sample and attention alone, and goes into a real store.
namespace attnscope::ui::test {

struct EvaluationScript {
    std::atomic<int> batchMs{1};
    std::atomic<int> samples{480};
    std::atomic<int> unreadable{4};  ///< of them
    std::atomic<int> noSpaceAt{-1};  ///< batch at which the disk is full, once
    std::atomic<int> failAt{-1};     ///< batch at which it ends with an error
    std::atomic<bool> hold{false};   ///< waits between two batches until released or stopped
    std::atomic<bool> video{false};
    std::atomic<int> batchesDone{0}, checks{0}, imagesRead{0};
    std::atomic<int> checksAllowed{1'000'000};  ///< the next one waits
    std::atomic<int> storeDelayMs{0};           ///< of each question to the store
    std::string note;                           ///< what the look into a folder finds odd

    void remember(const EvaluationRequest& request)
    {
        const std::lock_guard lock(mutex);
        requests.push_back(request);
    }
    std::vector<EvaluationRequest> requested() const
    {
        const std::lock_guard lock(mutex);
        return requests;
    }
    mutable std::mutex mutex;
    std::vector<EvaluationRequest> requests;
};

constexpr int64_t scriptedBatch = 20, scriptedClasses = 12;

/// A folder called "empty…" is refused.
EvaluationBackend scriptedEvaluation(std::shared_ptr<EvaluationScript> script);
/// Makes the store as slow as the script says.
std::function<void()> storeDelay(std::shared_ptr<EvaluationScript> script);
/// What the script predicts.
SamplePrediction scriptedPrediction(int64_t sample, int64_t label, const std::string& backend);
/// An evaluation written at once, to read in Results: as many batches as asked for, −1: all.
int64_t writeEvaluation(const std::string& store, const std::string& folder,
                        const std::vector<std::string>& attention, int64_t samples, int64_t batches = -1,
                        const std::string& model = "fake_tiny_patch16_224");

}

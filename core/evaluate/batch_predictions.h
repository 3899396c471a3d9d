#pragma once

#include "core/evaluate/device/device_crops.h"
#include "core/evaluate/network_runs.h"
#include "core/evaluate/sample_readers.h"
#include "core/store/store_records.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace attnscope {

/// What a batch needs in addition to its network.
struct BatchPlan {
    ReadingRequest reading;
    std::vector<int64_t> batches;  ///< numbers of the batches to process, in their order
    int64_t batch = 1;             ///< samples per batch
    int64_t workers = 1;
    int64_t classes = 0;
    bool keepsLogits = false;
    int64_t views = 1;  ///< views per sample, for the identities of its views

    std::vector<int64_t> samplesOf(int64_t number) const;
};

/// Predicts batches in order: reads ahead with threads, feeds each input to every attention. The results depend only on the samples and
/// their positions, not on threads, nor on other networks or whether a neighbour could be read.
class BatchPredictions {
public:
    /// `plans`: of the networks of `runs`. Batches and threads are the first one's, and all have its files.
    BatchPredictions(std::vector<BatchPlan> plans, NetworkRuns& runs)
        : m_plans(std::move(plans))
        , m_runs(runs)
    {}
    virtual ~BatchPredictions() = default;

    /// Calls `work` with the number of each batch before its passes; they may come before `next` has returned the batch before.
    void beforeEach(std::function<void(int64_t number)> work) { m_before = std::move(work); }
    /// More batches of the plan.
    virtual void append(const std::vector<int64_t>& batches) = 0;
    /// The next batch of the plan; there must be one. Throws Cancelled.
    virtual FinishedBatch next(const std::stop_token& stop) = 0;
    virtual ReaderLoad load() const = 0;
    /// Seconds for which the network waited for samples since the last call.
    double takeWaited() { return std::exchange(m_waited, 0); }

protected:
    /// Another batch; its samples.
    std::vector<int64_t> addToPlan(int64_t number);
    /// The next batch of the plan, without predictions yet.
    FinishedBatch begin();
    void takeSeconds(FinishedBatch& batch);

    const BatchPlan& planOf(size_t run) const { return m_plans[m_runs.networkOf(run)]; }

    std::vector<BatchPlan> m_plans;
    NetworkRuns& m_runs;
    size_t m_index = 0;
    double m_waited = 0;
    std::function<void(int64_t)> m_before = [](int64_t) {};
};

/// A row of a contiguous (B,classes) tensor of doubles.
std::span<const double> rowOf(const at::Tensor& rows, int64_t row);

/// For images: a batch is one input. Each image is decoded once, whatever the networks' crops. `resize`: makes the crops on the networks'
/// device if they are the same and there is no cache of them. On an asynchronous device the next batch is queued before
/// the results of one are waited for.
std::unique_ptr<BatchPredictions> predictImages(const std::vector<BatchPlan>& plans, NetworkRuns& runs,
                                                const ImageResizer& resize = {},
                                                std::shared_ptr<DeviceQueue> queue = deviceQueue(at::kCPU));

/// For videos, of which all networks take the same views: an input is a view, or several views of one video; the prediction is the mean of
/// the views' probabilities.
std::unique_ptr<BatchPredictions> predictVideos(const std::vector<BatchPlan>& plans, NetworkRuns& runs,
                                                int64_t viewsAtOnce);

}

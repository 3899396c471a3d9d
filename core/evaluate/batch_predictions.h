// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluate/network_runs.h"
#include "core/evaluate/sample_readers.h"
#include "core/store/store_records.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

namespace attnscope {

/// What a batch needs besides the network.
struct BatchPlan {
    ReadingRequest reading;
    std::vector<std::int64_t> batches;  ///< numbers of those that are to be answered, ascending
    std::int64_t batch = 1;             ///< samples of one
    std::int64_t workers = 1;
    std::int64_t classes = 0;
    std::int64_t views = 1;  ///< of a sample, for the identities of its views

    std::vector<std::int64_t> samplesOf(std::int64_t number) const;
};

/// Answers batches in order: reads ahead with threads, feeds each input to every attention. What comes out depends
/// on the samples and their places alone, not on threads, nor on whether a neighbour could be read.
class BatchPredictions {
public:
    virtual ~BatchPredictions() = default;

    /// The next batch of the plan; there must be one. Throws Cancelled.
    virtual FinishedBatch next(const std::stop_token& stop) = 0;
    virtual ReaderLoad load() const = 0;
    /// Seconds in which the network waited for samples, since the last call.
    double takeWaited() { return std::exchange(m_waited, 0); }

protected:
    double m_waited = 0;
};

/// Of pictures: a batch is one input.
std::unique_ptr<BatchPredictions> predictImages(const BatchPlan& plan, NetworkRuns& runs);

/// Of videos: an input is a view, or some views of one video; the mean of the views' probabilities answers.
std::unique_ptr<BatchPredictions> predictVideos(const BatchPlan& plan, NetworkRuns& runs, std::int64_t viewsAtOnce);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/preprocess/clip.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

/// Free of torch.
namespace attnscope {

/// Reads sample number `sample` of a set as a network sees it in epoch `epoch`. Throws FileError.
using SampleLoader = std::function<FloatArray(std::int64_t sample, std::uint64_t epoch)>;

/// The samples of one step, those that could be read.
struct LoadedBatch {
    std::vector<std::int64_t> samples;
    FloatArray input;                       ///< (B,…); no values where B = 0
    struct Unreadable {
        std::int64_t sample = 0;
        std::string reason;                 ///< a sentence
    };
    std::vector<Unreadable> unreadable;
};

/// Reads the batches of an epoch ahead of the network, with threads of its own, and hands them out in order. What a batch holds depends
/// on its samples and the epoch alone, never on the threads. At most `ahead` batches are kept.
class BatchLoader {
public:
    struct Plan {
        std::vector<std::vector<std::int64_t>> batches;
        std::uint64_t epoch = 0;
        std::int64_t workers = 1;
        std::int64_t ahead = 3;
        /// Makes the loader of one thread, on that thread: decoders are not shared.
        std::function<SampleLoader()> makeLoader;
    };

    explicit BatchLoader(Plan plan);
    ~BatchLoader();
    BatchLoader(const BatchLoader&) = delete;
    BatchLoader& operator=(const BatchLoader&) = delete;

    /// Empty behind the last. Throws Cancelled when stopped, and what a loader threw that was no FileError.
    std::optional<LoadedBatch> next(std::stop_token stop = {});

private:
    struct Pending {
        FloatArray input;                  ///< of all samples of the batch, one after another
        std::vector<std::string> reasons;  ///< why one could not be read; empty: it was
        std::int64_t left = 0;
    };
    void work(const std::stop_token& stop);
    void loadOne(const SampleLoader& load, std::size_t batch, std::size_t place);
    float* placeFor(Pending& pending, const FloatArray& array, std::size_t place);
    bool takeTask(const std::stop_token& stop, std::size_t& batch, std::size_t& place);
    static LoadedBatch assembled(const std::vector<std::int64_t>& samples, Pending pending);

    Plan m_plan;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Pending> m_pending;  // of batches m_next …, those that were begun
    std::size_t m_next = 0;         // the batch that is handed out next
    std::size_t m_taskBatch = 0, m_taskPlace = 0;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last: they use the rest
};

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"

#include <algorithm>
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
template <typename T>
using SampleLoaderOf = std::function<DenseArray<T>(std::int64_t sample, std::uint64_t epoch)>;
using SampleLoader = SampleLoaderOf<float>;

/// Where a sample's values go: to be asked once, with the sample's shape, when they are there.
template <typename T>
using SamplePlace = std::function<T*(const std::vector<std::int64_t>& shape)>;

/// Like SampleLoader, for samples that are written where the batch has its place for them.
template <typename T>
using SampleWriter = std::function<void(std::int64_t sample, std::uint64_t epoch, const SamplePlace<T>& place)>;

template <typename T>
SampleWriter<T> writerOf(SampleLoaderOf<T> load)
{
    return [load = std::move(load)](std::int64_t sample, std::uint64_t epoch, const SamplePlace<T>& place) {
        const DenseArray<T> array = load(sample, epoch);
        std::copy(array.values.begin(), array.values.end(), place(array.shape));
    };
}

/// What becomes of the places of samples that cannot be read.
enum class Gaps {
    Close,  ///< the others move up
    Keep,   ///< zeros stay in their place, so that nothing changes for the other samples
};

/// The samples of one step, those that could be read: of float32, or of bytes.
template <typename T>
struct LoadedBatchOf {
    std::vector<std::int64_t> samples;
    std::vector<std::int64_t> places;       ///< of each in `input`
    DenseArray<T> input;                    ///< (B,…); no values where no sample could be read
    struct Unreadable {
        std::int64_t sample = 0;
        std::string reason;                 ///< a sentence
    };
    std::vector<Unreadable> unreadable;
};
using LoadedBatch = LoadedBatchOf<float>;

/// How busy the threads are that read ahead.
struct ReaderLoad {
    std::int64_t ready = 0, room = 0;  ///< samples that wait for the network, and how many may
    double workedSeconds = 0;          ///< of all threads together, since the beginning
};

/// Reads the batches of an epoch ahead of the network, with threads of its own, and hands them out in order. What
/// a batch holds depends on its samples and the epoch alone, never on the threads. At most `ahead` batches are
/// kept.
template <typename T>
class BatchLoaderOf {
public:
    struct Plan {
        std::vector<std::vector<std::int64_t>> batches;
        std::uint64_t epoch = 0;
        std::int64_t workers = 1;
        std::int64_t ahead = 3;
        /// Makes the loader of one thread, on that thread: decoders are not shared.
        std::function<SampleLoaderOf<T>()> makeLoader = {};
        std::function<SampleWriter<T>()> makeWriter = {};  ///< in its place, where it is set
        Gaps gaps = Gaps::Close;
    };

    explicit BatchLoaderOf(Plan plan);
    ~BatchLoaderOf();
    BatchLoaderOf(const BatchLoaderOf&) = delete;
    BatchLoaderOf& operator=(const BatchLoaderOf&) = delete;

    /// Empty behind the last. Throws Cancelled when stopped, and what a loader threw that was no FileError.
    std::optional<LoadedBatchOf<T>> next(std::stop_token stop = {});
    /// Gives a batch's memory back once it was looked at, for a later one: fresh memory costs more than it takes to fill.
    void reuse(DenseArray<T> input);
    ReaderLoad load() const;

private:
    struct Pending {
        DenseArray<T> input;               ///< of all samples of the batch, one after another
        std::vector<std::string> reasons;  ///< why one could not be read; empty: it was
        std::int64_t left = 0;
    };
    void work(const std::stop_token& stop);
    void loadOne(const SampleWriter<T>& write, std::size_t batch, std::size_t place);
    T* placeFor(Pending& pending, const std::vector<std::int64_t>& shape, std::size_t place);
    bool takeTask(const std::stop_token& stop, std::size_t& batch, std::size_t& place);
    LoadedBatchOf<T> assembled(const std::vector<std::int64_t>& samples, Pending pending) const;

    Plan m_plan;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Pending> m_pending;  // of batches m_next …, those that were begun
    std::size_t m_next = 0;         // the batch that is handed out next
    std::size_t m_taskBatch = 0, m_taskPlace = 0;
    double m_worked = 0;
    std::vector<std::vector<T>> m_spare;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last: they use the rest
};
extern template class BatchLoaderOf<float>;
extern template class BatchLoaderOf<std::uint8_t>;
using BatchLoader = BatchLoaderOf<float>;

}  // namespace attnscope

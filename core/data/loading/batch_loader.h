#pragma once

#include "core/data/preprocess/clip.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

/// Independent of torch.
namespace attnscope {

/// Reads sample number `sample` of a set as network input for epoch `epoch`. Throws FileError.
template <typename T>
using SampleLoaderOf = std::function<DenseArray<T>(int64_t sample, uint64_t epoch)>;
using SampleLoader = SampleLoaderOf<float>;

/// Where a sample's values go: called once with the sample's shape when the values are ready.
template <typename T>
using SamplePlace = std::function<T*(const std::vector<int64_t>& shape)>;

/// Like SampleLoader, but writes samples directly into the batch.
template <typename T>
using SampleWriter = std::function<void(int64_t sample, uint64_t epoch, const SamplePlace<T>& place)>;

template <typename T>
SampleWriter<T> writerOf(SampleLoaderOf<T> load)
{
    return [load = std::move(load)](int64_t sample, uint64_t epoch, const SamplePlace<T>& place) {
        const DenseArray<T> array = load(sample, epoch);
        std::copy(array.values.begin(), array.values.end(), place(array.shape));
    };
}

/// What happens to the places of samples that can't be read.
enum class Gaps {
    Close,  ///< the others close the gap
    Keep,   ///< zeros remain in their place, so that the other samples are not affected
};

/// The readable samples of one step: of float32, or of bytes.
template <typename T>
struct LoadedBatchOf {
    std::vector<int64_t> samples;
    std::vector<int64_t> places;  ///< of each in `input`
    DenseArray<T> input;          ///< (B,…); no values if no sample could be read
    std::shared_ptr<T> memory;    ///< of the values instead, if the plan provides it
    std::vector<int64_t>
        packed;  ///< where each sample of the batch begins, if they are packed; −1: it could not be read
    struct Unreadable {
        int64_t sample = 0;
        std::string reason;  ///< a sentence
    };
    std::vector<Unreadable> unreadable;
};
using LoadedBatch = LoadedBatchOf<float>;

/// How busy the read-ahead threads are.
struct ReaderLoad {
    int64_t ready = 0, room = 0;  ///< samples waiting for the network, and their maximum
    double workedSeconds = 0;     ///< of all threads together, since the beginning
};

/// Reads the batches of an epoch ahead of the network, with its own threads, and returns them in order. A batch's contents depend only on
/// its samples and the epoch, never on the threads. At most `ahead` batches are kept.
template <typename T>
class BatchLoaderOf {
public:
    struct Plan {
        std::vector<std::vector<int64_t>> batches;
        bool isOpen = false;  ///< more batches will be appended
        uint64_t epoch = 0;
        int64_t workers = 1;
        int64_t ahead = 3;
        /// Creates the loader of one thread, on that thread: decoders are not shared.
        std::function<SampleLoaderOf<T>()> makeLoader = {};
        std::function<SampleWriter<T>()> makeWriter = {};  ///< used instead, if set
        Gaps gaps = Gaps::Close;
        /// Provides the memory of a batch, for so many values; empty: the batch's own.
        std::function<std::shared_ptr<T>(size_t)> memory = {};
        /// The largest number of values of a sample, where samples differ in size and lie packed in such memory, as they were read. 0: all
        /// have one shape.
        int64_t room = 0;
    };

    explicit BatchLoaderOf(Plan plan);
    ~BatchLoaderOf();
    BatchLoaderOf(const BatchLoaderOf&) = delete;
    BatchLoaderOf& operator=(const BatchLoaderOf&) = delete;

    /// More batches, to an open plan, by the thread that calls `next`.
    void append(std::vector<int64_t> samples);
    /// Empty after the last. Throws Cancelled when stopped, and any exception of a loader that is not a FileError.
    std::optional<LoadedBatchOf<T>> next(std::stop_token stop = {});
    /// Returns a batch's memory after use, for a later batch: fresh memory costs more than filling it.
    void reuse(DenseArray<T> input);
    ReaderLoad load() const;

private:
    struct Pending {
        DenseArray<T> input;  ///< of all samples of the batch, one after another
        std::shared_ptr<T> memory;
        std::vector<int64_t> packed;
        std::vector<std::string> reasons;  ///< why a sample could not be read; empty: it was
        int64_t left = 0;
    };
    void work(const std::stop_token& stop);
    void loadOne(const SampleWriter<T>& write, size_t batch, size_t place, int64_t sample);
    T* placeFor(Pending& pending, const std::vector<int64_t>& shape, size_t place);
    bool takeTask(const std::stop_token& stop, size_t& batch, size_t& place, std::optional<int64_t>& sample);
    LoadedBatchOf<T> assembled(const std::vector<int64_t>& samples, Pending pending) const;

    Plan m_plan;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Pending> m_pending;  // batches from m_next on that have been started
    size_t m_next = 0;              // the batch returned next
    size_t m_taskBatch = 0, m_taskPlace = 0;
    double m_worked = 0;
    std::vector<std::vector<T>> m_spare;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last, as they use the other members
};
extern template class BatchLoaderOf<float>;
extern template class BatchLoaderOf<uint8_t>;
using BatchLoader = BatchLoaderOf<float>;

}

#include "core/data/loading/batch_loader.h"

#include "core/base/error.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <utility>

namespace attnscope {

template <typename T>
BatchLoaderOf<T>::BatchLoaderOf(Plan plan)
    : m_plan(std::move(plan))
{
    for (int64_t i = 0; i < std::max<int64_t>(m_plan.workers, 1); ++i)
        m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

template <typename T>
BatchLoaderOf<T>::~BatchLoaderOf()
{
    for (std::jthread& thread : m_threads)
        thread.request_stop();
    m_changed.notify_all();
}

template <typename T>
void BatchLoaderOf<T>::append(std::vector<int64_t> samples)
{
    const std::scoped_lock lock(m_mutex);
    m_plan.batches.push_back(std::move(samples));
    m_changed.notify_all();
}

template <typename T>
bool BatchLoaderOf<T>::takeTask(const std::stop_token& stop, size_t& batch, size_t& place,
                                std::optional<int64_t>& sample)
{
    std::unique_lock lock(m_mutex);
    const auto isAtEnd = [&] { return m_taskBatch == m_plan.batches.size(); };
    const auto isOver = [&] { return m_failure || (isAtEnd() && !m_plan.isOpen); };
    m_changed.wait(lock, stop,
                   [&] { return isOver() || (!isAtEnd() && m_taskBatch < m_next + size_t(m_plan.ahead)); });
    if (stop.stop_requested() || isOver())
        return false;
    batch = m_taskBatch;
    place = m_taskPlace;
    sample.reset();
    if (!m_plan.batches[batch].empty())
        sample = m_plan.batches[batch][place];
    if (m_taskPlace == 0) {
        const size_t size = m_plan.batches[batch].size();
        m_pending.push_back({{}, {}, {}, std::vector<std::string>(size), int64_t(size)});
    }
    if (++m_taskPlace >= m_plan.batches[batch].size()) {
        m_taskPlace = 0;
        ++m_taskBatch;
    }
    if (m_plan.batches[batch].empty())
        m_changed.notify_all();  // nothing to wait for
    return true;
}

/// Where a sample's values go. The first to arrive determines the size of all. Needs the lock; throws Error for a different size.
template <typename T>
T* BatchLoaderOf<T>::placeFor(Pending& pending, const std::vector<int64_t>& shape, size_t place)
{
    DenseArray<T>& input = pending.input;
    const auto length = size_t(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
    const size_t samples = pending.reasons.size();
    if (input.shape.empty()) {
        input.shape = m_plan.room > 0 ? std::vector<int64_t>{0} : shape;
        if (m_plan.memory) {
            pending.memory = m_plan.memory(samples * (m_plan.room > 0 ? size_t(m_plan.room) : length));
        } else {
            if (!m_spare.empty()) {
                input.values = std::move(m_spare.back());
                m_spare.pop_back();
            }
            input.values.resize(length * samples);
        }
    }
    if (m_plan.room > 0) {
        pending.packed.resize(samples, -1);
        return pending.memory.get()
               + (pending.packed[place] = std::exchange(input.shape.front(),
                                                        input.shape.front() + int64_t(length)));
    }
    if (input.shape != shape)
        throw Error("", "the samples of a batch differ in size", "choose an input size of the network");
    return (pending.memory ? pending.memory.get() : input.values.data()) + place * length;
}

template <typename T>
void BatchLoaderOf<T>::loadOne(const SampleWriter<T>& write, size_t batch, size_t place, int64_t sample)
{
    std::string reason;
    const auto begin = std::chrono::steady_clock::now();
    try {
        write(sample, m_plan.epoch, [&](const std::vector<int64_t>& shape) {
            const std::scoped_lock lock(m_mutex);
            return placeFor(m_pending[batch - m_next], shape, place);
        });
    } catch (const FileError& error) {
        reason = error.what();
    }
    const std::scoped_lock lock(m_mutex);
    m_worked += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Pending& pending = m_pending[batch - m_next];
    pending.reasons[place] = std::move(reason);
    if (--pending.left == 0)
        m_changed.notify_all();
}

template <typename T>
void BatchLoaderOf<T>::reuse(DenseArray<T> input)
{
    const std::scoped_lock lock(m_mutex);
    if (int64_t(m_spare.size()) < m_plan.ahead)
        m_spare.push_back(std::move(input.values));
}

template <typename T>
void BatchLoaderOf<T>::work(const std::stop_token& stop)
{
    try {
        const SampleWriter<T> write = m_plan.makeWriter ? m_plan.makeWriter() : writerOf(m_plan.makeLoader());
        size_t batch = 0, place = 0;
        std::optional<int64_t> sample;
        while (takeTask(stop, batch, place, sample))
            if (sample)
                loadOne(write, batch, place, *sample);
    } catch (...) {
        const std::scoped_lock lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

template <typename T>
std::optional<LoadedBatchOf<T>> BatchLoaderOf<T>::next(std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    if (m_next == m_plan.batches.size())
        return std::nullopt;
    const bool ready = m_changed.wait(
        lock, stop, [&] { return m_failure || (!m_pending.empty() && m_pending.front().left == 0); });
    if (m_failure)
        std::rethrow_exception(m_failure);
    if (!ready)
        throw Cancelled();
    Pending pending = std::move(m_pending.front());
    m_pending.pop_front();
    const size_t index = m_next++;
    lock.unlock();
    m_changed.notify_all();
    return assembled(m_plan.batches[index], std::move(pending));
}

template <typename T>
ReaderLoad BatchLoaderOf<T>::load() const
{
    const std::scoped_lock lock(m_mutex);
    ReaderLoad load;
    load.workedSeconds = m_worked;
    for (const Pending& pending : m_pending)
        load.ready += int64_t(pending.reasons.size()) - pending.left;
    const size_t last = std::min(m_next + size_t(m_plan.ahead), m_plan.batches.size());
    for (size_t batch = m_next; batch < last; ++batch)
        load.room += int64_t(m_plan.batches[batch].size());
    return load;
}

template <typename T>
LoadedBatchOf<T> BatchLoaderOf<T>::assembled(const std::vector<int64_t>& samples, Pending pending) const
{
    LoadedBatchOf<T> batch;
    batch.input = std::move(pending.input);
    batch.memory = std::move(pending.memory);
    batch.packed = std::move(pending.packed);
    T* const values = batch.memory ? batch.memory.get() : batch.input.values.data();
    const auto& shape = batch.input.shape;
    const auto length = shape.empty() || m_plan.room > 0
                            ? 0
                            : std::accumulate(shape.begin(), shape.end(), ptrdiff_t{1}, std::multiplies<>());
    const bool close = m_plan.gaps == Gaps::Close;
    for (size_t i = 0; i < samples.size(); ++i) {
        if (!pending.reasons[i].empty()) {
            batch.unreadable.push_back({samples[i], std::move(pending.reasons[i])});
            if (!close)
                std::fill_n(values + ptrdiff_t(i) * length, length, T{});  // it may have been used before
            continue;
        }
        const size_t place = close ? batch.samples.size() : i;
        if (place != i)  // one before it could not be read
            std::copy_n(values + ptrdiff_t(i) * length, length, values + ptrdiff_t(place) * length);
        batch.places.push_back(int64_t(place));
        batch.samples.push_back(samples[i]);
    }
    const size_t kept = close || batch.samples.empty() ? batch.samples.size() : samples.size();
    if (!batch.memory)
        batch.input.values.resize(kept * size_t(length));
    if (m_plan.room == 0)
        batch.input.shape.insert(batch.input.shape.begin(), int64_t(kept));
    return batch;
}

template class BatchLoaderOf<float>;
template class BatchLoaderOf<uint8_t>;

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/loading/batch_loader.h"
#include "core/data/preprocess/clip.h"

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

/// A sample that is looked at through several views (a video), which are made one by one.
struct OpenedViews {
    std::size_t count = 0;
    std::function<FloatArray(std::size_t)> view;  ///< throws FileError
};

/// Opens sample number `sample` of a set. Throws FileError.
using ViewOpener = std::function<OpenedViews(std::int64_t sample)>;

/// One view of one sample, or why the sample cannot be read (perhaps after some of its views could).
struct LoadedView {
    std::int64_t sample = 0;
    std::size_t index = 0, count = 0;
    FloatArray input;
    std::string reason;  ///< a sentence; then there is no input, and the sample has no further view
    bool last() const { return !reason.empty() || index + 1 == count; }
};

/// Makes the views of samples ahead of the network, one thread a sample, and hands them out in order. What is held
/// does not grow with the number of views or samples: at most `ahead` views of each sample that is open, and twice
/// as many samples as there are threads.
class ViewLoader {
public:
    struct Plan {
        std::vector<std::int64_t> samples;
        std::int64_t workers = 1;
        std::int64_t ahead = 3;
        /// Makes the opener of one thread, on that thread.
        std::function<ViewOpener()> makeOpener;
    };

    explicit ViewLoader(Plan plan);
    ~ViewLoader();
    ViewLoader(const ViewLoader&) = delete;
    ViewLoader& operator=(const ViewLoader&) = delete;

    /// Empty behind the last. Throws Cancelled when stopped, and what an opener threw that was no FileError.
    std::optional<LoadedView> next(std::stop_token stop = {});
    ReaderLoad load() const;

private:
    void work(const std::stop_token& stop);
    void readOne(const ViewOpener& open, std::size_t task, const std::stop_token& stop);
    /// False when it is to end.
    bool put(std::size_t task, LoadedView view, const std::stop_token& stop);

    Plan m_plan;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::deque<LoadedView>> m_ready;  // of samples m_next …, those that were begun
    std::size_t m_next = 0, m_task = 0, m_threadCount = 1;
    double m_worked = 0;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last: they use the rest
};

}  // namespace attnscope

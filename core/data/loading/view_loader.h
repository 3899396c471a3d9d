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

/// Independent of torch.
namespace attnscope {

/// A sample with several views (a video), which are created one by one.
struct OpenedViews {
    size_t count = 0;
    std::function<FloatArray(size_t)> view;  ///< throws FileError
    std::string partial;                     ///< see VideoViews
};

/// Opens sample number `sample` of a set. Throws FileError.
using ViewOpener = std::function<OpenedViews(int64_t sample)>;

/// One view of one sample, or why the sample can't be read (possibly after some of its views could).
struct LoadedView {
    int64_t sample = 0;
    size_t index = 0, count = 0;
    FloatArray input;
    std::string partial;  ///< see VideoViews
    std::string reason;   ///< a sentence; then there is no input, and the sample has no further views
    bool last() const { return !reason.empty() || index + 1 == count; }
};

/// Creates the views of samples ahead of the network, one thread per sample, and returns them in order. Memory does not grow with the
/// number of views or samples: at most `ahead` views of each open sample, and twice as many samples as there are threads.
class ViewLoader {
public:
    struct Plan {
        std::vector<int64_t> samples;
        bool isOpen = false;  ///< more samples will be appended
        int64_t workers = 1;
        int64_t ahead = 3;
        /// Creates the opener of one thread, on that thread.
        std::function<ViewOpener()> makeOpener;
    };

    explicit ViewLoader(Plan plan);
    ~ViewLoader();
    ViewLoader(const ViewLoader&) = delete;
    ViewLoader& operator=(const ViewLoader&) = delete;

    /// More samples, to an open plan.
    void append(const std::vector<int64_t>& samples);
    /// Empty after the last. Throws Cancelled when stopped, and any exception of an opener that is not a FileError.
    std::optional<LoadedView> next(std::stop_token stop = {});
    ReaderLoad load() const;

private:
    void work(const std::stop_token& stop);
    void readOne(const ViewOpener& open, size_t task, int64_t sample, const std::stop_token& stop);
    /// False if the thread should end.
    bool put(size_t task, LoadedView view, const std::stop_token& stop);

    Plan m_plan;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::deque<LoadedView>> m_ready;  // samples from m_next on that have been started
    size_t m_next = 0, m_task = 0, m_threadCount = 1;
    double m_worked = 0;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last, as they use the other members
};

}

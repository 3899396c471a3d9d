#pragma once

#include "core/evaluate/evaluate.h"
#include "core/store/result_store.h"

#include <concepts>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace attnscope {

/// The store of a running evaluation: waits while the disk is full, and writes a heartbeat every few seconds.
class StoreWriter {
public:
    /// Opens the store. Throws StoreError.
    StoreWriter(const std::filesystem::path& file, EvaluationObserver& observer, std::stop_token stop);

    /// Returns what `work` does with the store. If the disk is full, the observer decides whether to retry. Throws StoreError, NoSpace if
    /// not retried, Cancelled.
    template <std::invocable<ResultStore&> Work>
    auto with(const Work& work)
    {
        for (;;) {
            std::string problem;
            try {
                const std::scoped_lock lock(m_mutex);
                return work(*m_store);
            } catch (const NoSpace& error) {
                problem = error.what();
            }
            waitForSpace(problem);
        }
    }

    /// From now on writes a heartbeat for this evaluation.
    void keepAlive(int64_t evaluation);

private:
    void waitForSpace(const std::string& problem);
    void beat(int64_t evaluation, const std::stop_token& stop);

    EvaluationObserver& m_observer;
    std::stop_token m_stop;
    std::mutex m_mutex;
    std::optional<ResultStore> m_store;
    std::jthread m_heart;  // last, as it uses the other members
};

}

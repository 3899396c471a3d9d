// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluate/evaluate.h"
#include "core/store/result_store.h"
#include "core/store/store_error.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace attnscope {

/// The store of an evaluation under way: waits out a full disk, and says every few seconds that this process
/// lives.
class StoreWriter {
public:
    /// Opens the store. Throws StoreError.
    StoreWriter(const std::filesystem::path& file, EvaluationObserver& observer, std::stop_token stop);

    /// What `work` makes of the store. A full disk: the observer decides whether it is tried again.
    /// Throws StoreError, NoSpace when it is not, Cancelled.
    template <typename Work>
    auto with(const Work& work)
    {
        for (;;) {
            std::string problem;
            try {
                const std::lock_guard lock(m_mutex);
                return work(*m_store);
            } catch (const NoSpace& error) {
                problem = error.what();
            }
            waitForSpace(problem);
        }
    }

    /// From now on a heartbeat of this evaluation is kept.
    void keepAlive(std::int64_t evaluation);

private:
    void waitForSpace(const std::string& problem);
    void beat(std::int64_t evaluation, const std::stop_token& stop);

    EvaluationObserver& m_observer;
    std::stop_token m_stop;
    std::mutex m_mutex;
    std::optional<ResultStore> m_store;
    std::jthread m_heart;  // last: it uses the rest
};

}  // namespace attnscope

#pragma once

#include "ui/neighbours/neighbours_task.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// Stands in for the search of neighbours: no network runs here and no figure means anything.
namespace attnscope::ui::test {

struct NeighboursScript {
    std::atomic<bool> hold{false};  ///< waits within a run until released or stopped; images are found at once
    std::atomic<int> runs{0}, looks{0};
    std::atomic<bool> helps{true};  ///< the mixture is clearly better than the model
    std::string failure;            ///< what every call throws instead

    void note(const NeighbourQuestion& question)
    {
        const std::lock_guard lock(m_mutex);
        m_questions.push_back(question);
    }
    NeighbourQuestion last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_questions.back();
    }

private:
    mutable std::mutex m_mutex;
    std::vector<NeighbourQuestion> m_questions;
};

NeighboursBackend scriptedNeighbours(std::shared_ptr<NeighboursScript> script);

}

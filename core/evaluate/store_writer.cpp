#include "core/evaluate/store_writer.h"

#include "core/base/error.h"

#include <chrono>
#include <condition_variable>

namespace attnscope {

namespace {

/// Other processes consider this one dead after 30 s without a heartbeat.
constexpr auto heartbeatEvery = std::chrono::seconds(5);

}

StoreWriter::StoreWriter(const std::filesystem::path& file, EvaluationObserver& observer, std::stop_token stop)
    : m_observer(observer)
    , m_stop(std::move(stop))
{
    while (!m_store) {
        try {
            m_store.emplace(file, ResultStore::Mode::Write);
        } catch (const NoSpace& error) {
            waitForSpace(error.what());
        }
    }
}

void StoreWriter::waitForSpace(const std::string& problem)
{
    const bool again = !m_stop.stop_requested() && m_observer.retriesWithoutSpace(problem);
    if (m_stop.stop_requested())
        throw Cancelled();
    if (!again)
        throw NoSpace("", problem);
}

void StoreWriter::keepAlive(int64_t evaluation)
{
    m_heart = std::jthread([this, evaluation](const std::stop_token& stop) { beat(evaluation, stop); });
}

void StoreWriter::beat(int64_t evaluation, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock waiting(mutex);
    while (!never.wait_for(waiting, stop, heartbeatEvery, [&] { return stop.stop_requested(); })) {
        try {
            const std::scoped_lock lock(m_mutex);
            m_store->heartbeat(evaluation);
        } catch (const StoreError&) {
            // A full disk, or a missing store: the next batch runs into it too, and reports it.
        }
    }
}

}

#include "core/live/clip_scheduler.h"

namespace attnscope {

void ClipScheduler::setPolicy(Policy policy)
{
    const std::scoped_lock lock(m_mutex);
    m_policy = policy;
}

void ClipScheduler::setGrid(const ClipGrid& grid)
{
    const std::scoped_lock lock(m_mutex);
    m_grid = grid;
    m_due.clear();
    m_epoch = 0;
    m_lastDue = -1;
    m_lastPredicted = {0, -1};
}

void ClipScheduler::resetCounts()
{
    const std::scoped_lock lock(m_mutex);
    m_counts = {};
}

bool ClipScheduler::show(uint64_t epoch, double seconds, int64_t shortClip)
{
    const std::scoped_lock lock(m_mutex);
    const bool another = epoch != m_epoch;
    if (another)
        m_lastDue = -1;
    m_epoch = epoch;
    const int64_t tick = m_grid.tickOf(seconds);
    const int64_t due = shortClip >= 0 && tick >= shortClip ? shortClip : m_grid.lastDue(tick);
    if (due < 0 || due <= m_lastDue)
        return false;
    // The first of a stretch is single; after it, each tick that was passed counts.
    const int64_t first = m_lastDue < 0 || shortClip >= 0 ? due : m_lastDue + m_grid.every;
    for (int64_t each = first; each <= due; each += m_grid.every) {
        m_due.push_back({epoch, each});
        ++m_counts.due;
    }
    m_lastDue = due;
    while (m_policy == Policy::Newest && m_due.size() > 1) {
        m_due.pop_front();
        ++m_counts.missed;
    }
    return true;
}

bool ClipScheduler::mayShow(uint64_t epoch, double seconds) const
{
    const std::scoped_lock lock(m_mutex);
    if (m_policy == Policy::Newest || (m_due.empty() && !m_underWay))
        return true;
    return epoch == m_epoch && m_grid.lastDue(m_grid.tickOf(seconds)) <= m_lastDue;
}

std::optional<ClipRequest> ClipScheduler::take()
{
    const std::scoped_lock lock(m_mutex);
    if (m_due.empty())
        return std::nullopt;
    const Due due = m_due.front();
    m_due.pop_front();
    m_underWay = true;
    const bool follows = m_lastPredicted.epoch == due.epoch && m_lastPredicted.tick < due.tick;
    return ClipRequest{due.epoch, due.tick, follows ? m_lastPredicted.tick : -1};
}

void ClipScheduler::predicted(const ClipRequest& request)
{
    const std::scoped_lock lock(m_mutex);
    m_underWay = false;
    ++m_counts.predicted;
    m_lastPredicted = {request.epoch, request.tick};
}

void ClipScheduler::gaveUp(const ClipRequest&)
{
    const std::scoped_lock lock(m_mutex);
    m_underWay = false;
    ++m_counts.missed;
}

void ClipScheduler::interrupted(const ClipRequest& request)
{
    const std::scoped_lock lock(m_mutex);
    m_underWay = false;
    if (request.epoch != m_epoch || (m_policy == Policy::Newest && !m_due.empty()))
        ++m_counts.missed;
    else
        m_due.push_front({request.epoch, request.tick});
}

bool ClipScheduler::waiting() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_due.empty();
}

}

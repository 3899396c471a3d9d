#include "ui/engine/measuring_gate.h"

#include <algorithm>
#include <utility>

namespace attnscope::ui {

MeasuringGate::Turn::Turn(MeasuringGate& gate, Work work, std::stop_token stop)
    : m_gate(gate)
    , m_work(work)
{
    comeBack(std::move(stop));
}

MeasuringGate::Turn::~Turn()
{
    if (!m_away)
        finish();
}

void MeasuringGate::Turn::finish()
{
    const std::scoped_lock lock(m_gate.m_mutex);
    m_away = true;
    --m_gate.m_present[indexOf(m_work)];
    --m_gate.m_working[indexOf(m_work)];
    m_gate.m_changed.notify_all();
}

void MeasuringGate::Turn::comeBack(std::stop_token stop)
{
    std::unique_lock lock(m_gate.m_mutex);
    m_away = false;
    ++m_gate.m_present[indexOf(m_work)];
    wait(lock, std::move(stop));
}

bool MeasuringGate::Turn::wanted() const
{
    const std::scoped_lock lock(m_gate.m_mutex);
    return m_gate.somebodyGoesBefore(m_work);
}

void MeasuringGate::Turn::rest(std::stop_token stop)
{
    std::unique_lock lock(m_gate.m_mutex);
    --m_gate.m_working[indexOf(m_work)];
    m_gate.m_changed.notify_all();
    wait(lock, std::move(stop));
}

void MeasuringGate::Turn::wait(std::unique_lock<std::mutex>& lock, std::stop_token stop)
{
    m_gate.m_changed.wait(lock, std::move(stop),
                          [this] { return !m_gate.somebodyGoesBefore(m_work) && !m_gate.anotherWorks(m_work); });
    ++m_gate.m_working[indexOf(m_work)];
}

bool MeasuringGate::waits(Work work) const
{
    const std::scoped_lock lock(m_mutex);
    return somebodyGoesBefore(work) || anotherWorks(work);
}

bool MeasuringGate::somebodyGoesBefore(Work work) const
{
    return std::any_of(m_present.begin(), m_present.begin() + ptrdiff_t(work),
                       [](int there) { return there > 0; });
}

bool MeasuringGate::anotherWorks(Work work) const
{
    for (size_t other = 0; other < m_working.size(); ++other)
        if (other != indexOf(work) && m_working[other] > 0)
            return true;
    return false;
}

}

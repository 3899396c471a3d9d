// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/measuring_gate.h"

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
        leave();
}

void MeasuringGate::Turn::leave()
{
    const std::lock_guard lock(m_gate.m_mutex);
    m_away = true;
    --m_gate.m_present[m_work];
    --m_gate.m_working[m_work];
    m_gate.m_changed.notify_all();
}

void MeasuringGate::Turn::comeBack(std::stop_token stop)
{
    std::unique_lock lock(m_gate.m_mutex);
    m_away = false;
    ++m_gate.m_present[m_work];
    wait(lock, std::move(stop));
}

bool MeasuringGate::Turn::wanted() const
{
    const std::lock_guard lock(m_gate.m_mutex);
    return m_gate.somebodyGoesBefore(m_work);
}

void MeasuringGate::Turn::rest(std::stop_token stop)
{
    std::unique_lock lock(m_gate.m_mutex);
    --m_gate.m_working[m_work];
    m_gate.m_changed.notify_all();
    wait(lock, std::move(stop));
}

void MeasuringGate::Turn::wait(std::unique_lock<std::mutex>& lock, std::stop_token stop)
{
    m_gate.m_changed.wait(lock, std::move(stop),
                          [this] { return !m_gate.somebodyGoesBefore(m_work) && !m_gate.anotherWorks(m_work); });
    ++m_gate.m_working[m_work];
}

bool MeasuringGate::measuringWaits() const
{
    const std::lock_guard lock(m_mutex);
    return anotherWorks(MeasuringWork);
}

bool MeasuringGate::trainingWaits() const
{
    const std::lock_guard lock(m_mutex);
    return somebodyGoesBefore(TrainingWork);
}

bool MeasuringGate::evaluatingWaits() const
{
    const std::lock_guard lock(m_mutex);
    return somebodyGoesBefore(EvaluatingWork) || anotherWorks(EvaluatingWork);
}

bool MeasuringGate::laboratoryWaits() const
{
    const std::lock_guard lock(m_mutex);
    return somebodyGoesBefore(LaboratoryWork) || anotherWorks(LaboratoryWork);
}

bool MeasuringGate::somebodyGoesBefore(Work work) const
{
    for (int other = 0; other < work; ++other)
        if (m_present[static_cast<std::size_t>(other)] > 0)
            return true;
    return false;
}

bool MeasuringGate::anotherWorks(Work work) const
{
    for (int other = 0; other < WorkCount; ++other)
        if (other != work && m_working[static_cast<std::size_t>(other)] > 0)
            return true;
    return false;
}

}  // namespace attnscope::ui

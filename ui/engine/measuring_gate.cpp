// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/measuring_gate.h"

#include <utility>

namespace attnscope::ui {

MeasuringGate::Measuring::Measuring(MeasuringGate& gate, std::stop_token stop)
    : m_gate(gate)
{
    std::unique_lock lock(m_gate.m_mutex);
    ++m_gate.m_measuring;
    m_gate.m_changed.wait(lock, std::move(stop), [this] { return !m_gate.m_working; });
}

MeasuringGate::Measuring::~Measuring()
{
    const std::lock_guard lock(m_gate.m_mutex);
    --m_gate.m_measuring;
    m_gate.m_changed.notify_all();
}

MeasuringGate::Training::Training(MeasuringGate& gate, std::stop_token stop)
    : m_gate(gate)
{
    std::unique_lock lock(m_gate.m_mutex);
    m_gate.waitForTurn(lock, std::move(stop));
}

MeasuringGate::Training::~Training()
{
    const std::lock_guard lock(m_gate.m_mutex);
    m_gate.m_working = false;
    m_gate.m_changed.notify_all();
}

bool MeasuringGate::wanted() const
{
    const std::lock_guard lock(m_mutex);
    return m_measuring > 0;
}

void MeasuringGate::rest(std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    m_working = false;
    m_changed.notify_all();
    waitForTurn(lock, std::move(stop));
}

void MeasuringGate::waitForTurn(std::unique_lock<std::mutex>& lock, std::stop_token stop)
{
    m_changed.wait(lock, std::move(stop), [this] { return m_measuring == 0; });
    m_working = true;
}

}  // namespace attnscope::ui

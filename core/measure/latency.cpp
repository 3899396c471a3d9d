#include "core/measure/latency.h"

#include "core/measure/paired_ratio.h"
#include "core/measure/statistics.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <cmath>
#include <numeric>
#include <utility>

namespace attnscope {

SectionTimer::SectionTimer(at::Device device)
    : m_device(device)
{}

c10::Event SectionTimer::recorded() const
{
    c10::Event event(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);  // with timing
    event.record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
    return event;
}

void SectionTimer::begin()
{
    if (m_device.is_cpu())
        m_begin = Clock::now();
    else
        m_events.push_back(recorded());
}

void SectionTimer::end()
{
    if (m_device.is_cpu())
        m_sum += std::chrono::duration<double, std::milli>(Clock::now() - m_begin).count();
    else
        m_events.push_back(recorded());
}

double SectionTimer::take()
{
    if (!m_events.empty())
        m_events.back().synchronize();
    for (size_t i = 0; i + 1 < m_events.size(); i += 2)
        m_sum += m_events[i].elapsedTime(m_events[i + 1]);
    m_events.clear();
    return std::exchange(m_sum, 0);
}

void TimingSamples::endRound()
{
    if (rounded == totalMs.size() || roundsMs.size() == maxRounds)
        return;
    const auto median = [this](const std::vector<double>& all) {
        return quantile({all.begin() + ptrdiff_t(std::min(rounded, all.size())), all.end()}, 0.5);
    };
    roundsMs.push_back(median(totalMs));
    attentionRoundsMs.push_back(median(attentionMs));
    rounded = totalMs.size();
}

Latency TimingSamples::summary() const
{
    return {quantile(totalMs, 0.5),
            quantile(totalMs, 0.05),
            quantile(totalMs, 0.95),
            quantile(attentionMs, 0.5),
            quantile(attentionMs, 0.05),
            quantile(attentionMs, 0.95),
            std::ssize(totalMs),
            roundsMs,
            attentionRoundsMs};
}

double TimingSamples::seconds() const
{
    return std::accumulate(totalMs.begin(), totalMs.end(), 0.0) / 1000;
}

bool TimingSamples::enough(int64_t repetitions, double atLeastSeconds) const
{
    return int64_t(totalMs.size()) >= repetitions && seconds() >= atLeastSeconds;
}

int64_t timingsPerRound(double passMs, int64_t repetitions, double atLeastSeconds)
{
    const double rounds = double(std::max<int64_t>(repetitions, 1));
    const double wanted = 1000 * atLeastSeconds / std::max(passMs, 1e-3);
    return std::clamp<int64_t>(int64_t(std::ceil(wanted / rounds)), 1, 10'000);
}

}

#include "core/train/throughput.h"

#include "core/measure/measurements.h"
#include "core/measure/statistics.h"

namespace attnscope {

Throughput::Throughput(int64_t samplesPerStep)
    : m_samples(samplesPerStep)
{}

void Throughput::add(double waited)
{
    const auto now = Clock::now();
    m_steps.push_back(std::chrono::duration<double>(now - m_last).count());
    m_last = now;
    m_waited += waited;
    if (m_steps.size() > 30)
        m_steps.pop_front();
}

void Throughput::goOn()
{
    const auto now = Clock::now();
    m_begin += now - m_last;
    m_last = now;
}

double Throughput::median() const
{
    return m_steps.empty() ? 0 : quantile({m_steps.begin(), m_steps.end()}, 0.5);
}

double Throughput::samplesPerSecond() const
{
    const double step = median();
    return step > 0 ? double(m_samples) / step : 0;
}

double Throughput::waiting() const
{
    const double all = std::chrono::duration<double>(m_last - m_begin).count();
    return all > 0 ? m_waited / all : 0;
}

std::optional<double> Throughput::secondsFor(int64_t steps) const
{
    if (m_steps.size() < 3)
        return std::nullopt;
    return median() * double(steps);
}

double Throughput::seconds() const
{
    return secondsSince(m_begin);
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/measure/memory.h"

#include <c10/core/Allocator.h>

#include <algorithm>
#include <mutex>

namespace attnscope {

class AllocationMeter::Hook : public c10::MemoryReportingInfoBase {
public:
    explicit Hook(at::Device device)
        : m_device(device)
    {
    }

    void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t, c10::Device device) override
    {
        if (device.type() != m_device.type())
            return;
        const std::lock_guard lock(m_mutex);
        m_current += bytes;
        m_peak = std::max(m_peak, m_current);
        m_sectionPeak = std::max(m_sectionPeak, m_current);
    }

    bool memoryProfilingEnabled() const override { return true; }

    void beginSection()
    {
        const std::lock_guard lock(m_mutex);
        m_sectionStart = m_sectionPeak = m_current;
    }

    std::int64_t current() const { return m_current; }
    std::int64_t peak() const { return m_peak; }
    std::int64_t sectionPeak() const { return m_sectionPeak - m_sectionStart; }

private:
    at::Device m_device;
    std::mutex m_mutex;
    std::int64_t m_current = 0, m_peak = 0, m_sectionStart = 0, m_sectionPeak = 0;
};

AllocationMeter::AllocationMeter(at::Device device)
    : m_hook(std::make_shared<Hook>(device))
    , m_guard(std::make_unique<c10::DebugInfoGuard>(c10::DebugInfoKind::PROFILER_STATE, m_hook))
{
}

AllocationMeter::~AllocationMeter() = default;

std::int64_t AllocationMeter::current() const
{
    return m_hook->current();
}

std::int64_t AllocationMeter::peak() const
{
    return m_hook->peak();
}

void AllocationMeter::beginSection()
{
    m_hook->beginSection();
}

std::int64_t AllocationMeter::sectionPeak() const
{
    return m_hook->sectionPeak();
}

}  // namespace attnscope

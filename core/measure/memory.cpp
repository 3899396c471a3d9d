#include "core/measure/memory.h"

#include <c10/core/Allocator.h>

#include <algorithm>

namespace attnscope {

class AllocationMeter::Hook : public c10::MemoryReportingInfoBase, public Counts {
public:
    explicit Hook(at::Device device)
        : m_device(device)
    {}

    void reportMemoryUsage(void*, int64_t bytes, size_t, size_t, c10::Device device) override
    {
        if (device.type() != m_device.type())
            return;
        const std::scoped_lock lock(mutex);
        current += bytes;
        peak = std::max(peak, current);
        sectionPeak = std::max(sectionPeak, current);
    }

    bool memoryProfilingEnabled() const override { return true; }

private:
    at::Device m_device;
};

AllocationMeter::AllocationMeter(at::Device device)
{
    const auto hook = std::make_shared<Hook>(device);
    m_counts = hook;
    m_guard = std::make_unique<c10::DebugInfoGuard>(c10::DebugInfoKind::PROFILER_STATE, hook);
}

AllocationMeter::~AllocationMeter() = default;

void AllocationMeter::beginSection()
{
    const std::scoped_lock lock(m_counts->mutex);
    m_counts->sectionStart = m_counts->sectionPeak = m_counts->current;
}

}

#pragma once

#include <ATen/ATen.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>
#include <mutex>

namespace attnscope {

/// Counts the bytes of tensors that this thread allocates and frees on one device during its lifetime, through the allocator's own
/// memory-reporting hook: not process RSS, nor scratch memory of math libraries. Meters nest; the inner one hides the outer.
class AllocationMeter {
public:
    explicit AllocationMeter(at::Device device);
    ~AllocationMeter();
    AllocationMeter(const AllocationMeter&) = delete;
    AllocationMeter& operator=(const AllocationMeter&) = delete;

    /// Bytes above the level at the beginning; negative if older tensors were freed.
    int64_t current() const { return m_counts->current; }
    /// The highest level since the beginning.
    int64_t peak() const { return m_counts->peak; }

    /// Starts a section: `sectionPeak` is the highest level above the one at this call.
    void beginSection();
    int64_t sectionPeak() const { return m_counts->sectionPeak - m_counts->sectionStart; }

private:
    struct Counts {
        std::mutex mutex;
        int64_t current = 0, peak = 0, sectionStart = 0, sectionPeak = 0;
    };
    class Hook;
    std::shared_ptr<Counts> m_counts;  // of the hook
    std::unique_ptr<c10::DebugInfoGuard> m_guard;
};

}

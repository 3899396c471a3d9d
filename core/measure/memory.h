// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>

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
    std::int64_t current() const;
    /// The highest level since the beginning.
    std::int64_t peak() const;

    /// Starts a section: `sectionPeak` is the highest level above the one at this call.
    void beginSection();
    std::int64_t sectionPeak() const;

private:
    class Hook;
    std::shared_ptr<Hook> m_hook;
    std::unique_ptr<c10::DebugInfoGuard> m_guard;
};

}  // namespace attnscope

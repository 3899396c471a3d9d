#include "core/device/freed_memory.h"

#include <c10/core/CPUAllocator.h>

#include <cstdint>
#include <cstdlib>  // defines macros that identify the C library

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attnscope {

namespace {

constexpr size_t alignment = 64;  // a cache line, and the alignment of vector kernels

/// Plain `malloc` with room for the alignment; the address to free is stored right before the data.
class TensorAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(size_t bytes) override
    {
        if (bytes == 0)
            return {nullptr, nullptr, &release, at::kCPU};
        void* const whole = bytes <= SIZE_MAX - 2 * alignment ? std::malloc(bytes + 2 * alignment) : nullptr;
        TORCH_CHECK(whole, "can't allocate memory: ", bytes, " bytes");
        const auto start = (reinterpret_cast<std::uintptr_t>(whole) + sizeof(void*) + alignment - 1)
                           & ~(alignment - 1);
        auto* const data = reinterpret_cast<void*>(start);
        static_cast<void**>(data)[-1] = whole;
        c10::profiledCPUMemoryReporter().New(data, bytes);
        return {data, data, &release, at::kCPU};
    }

    c10::DeleterFnPtr raw_deleter() const override { return &release; }

    void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }

private:
    static void release(void* data)
    {
        if (!data)
            return;
        c10::profiledCPUMemoryReporter().Delete(data);
        std::free(static_cast<void**>(data)[-1]);
    }
};

}

void keepFreedMemory()
{
    static TensorAllocator allocator;
    c10::SetCPUAllocator(&allocator, 1);
#ifdef __GLIBC__
    constexpr int unlimited = -1, headroom = 64 << 20;
    mallopt(M_MMAP_THRESHOLD, unlimited);
    mallopt(M_TRIM_THRESHOLD, unlimited);
    mallopt(M_TOP_PAD, headroom);
    mallopt(M_ARENA_MAX, 1);  // arenas of further threads can't have blocks above 64 MiB
#endif
}

FreedMemoryReturn::~FreedMemoryReturn()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}

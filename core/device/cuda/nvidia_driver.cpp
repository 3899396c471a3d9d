#include "core/device/cuda/nvidia_driver.h"

#include "core/base/text.h"

#include <dlfcn.h>

#include <cstddef>
#include <memory>

namespace attnscope {

namespace {

constexpr const char* driverName = "libcuda.so.1";
/// What LibTorch's libraries for CUDA 13 need.
constexpr int oldestCuda = 13000;

class Library {
public:
    explicit Library(const char* name)
        : m_handle(::dlopen(name, RTLD_NOW | RTLD_LOCAL), &::dlclose)
    {}
    explicit operator bool() const { return m_handle != nullptr; }

    /// Calls a function that returns 0 when it succeeds; -1 where the library lacks it.
    template <typename... Arguments>
    int operator()(const char* name, Arguments... arguments) const
    {
        auto* const function = m_handle == nullptr ? nullptr : ::dlsym(m_handle.get(), name);
        return function == nullptr ? -1 : reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
    }

private:
    std::unique_ptr<void, int (*)(void*)> m_handle;
};

/// NVIDIA's management library (NVML), which tells what the driver's own does not without using memory of the GPU.
class Management {
public:
    Management()
        : m_works(m_library("nvmlInit_v2") == 0)
    {}
    ~Management()
    {
        if (m_works)
            m_library("nvmlShutdown");
    }
    Management(const Management&) = delete;
    Management& operator=(const Management&) = delete;

    std::string driverVersion() const
    {
        char text[96] = "";
        return m_works && m_library("nvmlSystemGetDriverVersion", &text[0], unsigned(sizeof text)) == 0
                   ? printable(text)
                   : std::string();
    }

    void describe(const char* busId, InstalledGpu& gpu) const
    {
        void* handle = nullptr;
        if (!m_works || m_library("nvmlDeviceGetHandleByPciBusId_v2", busId, &handle) != 0)
            return;
        struct {
            unsigned long long total, free, used;
        } memory{};
        if (m_library("nvmlDeviceGetMemoryInfo", handle, static_cast<void*>(&memory)) == 0)
            gpu.freeBytes = int64_t(memory.free);
        constexpr int multiprocessorClock = 1;
        unsigned value = 0;
        if (m_library("nvmlDeviceGetClockInfo", handle, multiprocessorClock, &value) == 0)
            gpu.clockMhz = int(value);
        if (m_library("nvmlDeviceGetEnforcedPowerLimit", handle, &value) == 0)
            gpu.powerLimitWatts = value / 1000.0;
    }

private:
    Library m_library{"libnvidia-ml.so.1"};
    bool m_works;
};

InstalledGpu gpuOf(const Library& driver, const Management& management, int number)
{
    InstalledGpu gpu{.model = "NVIDIA GPU"};
    int device = 0, major = 0, minor = 0;
    if (driver("cuDeviceGet", &device, number) != 0)
        return gpu;
    char text[128] = "";
    if (driver("cuDeviceGetName", &text[0], int(sizeof text), device) == 0 && text[0] != '\0')
        gpu.model = printable(text);
    size_t bytes = 0;
    if (driver("cuDeviceTotalMem_v2", &bytes, device) == 0)
        gpu.memoryBytes = int64_t(bytes);
    constexpr int majorAttribute = 75, minorAttribute = 76;
    if (driver("cuDeviceGetAttribute", &major, majorAttribute, device) == 0
        && driver("cuDeviceGetAttribute", &minor, minorAttribute, device) == 0)
        gpu.computeCapability = 10 * major + minor;
    if (driver("cuDeviceGetPCIBusId", &text[0], int(sizeof text), device) == 0)
        management.describe(text, gpu);
    return gpu;
}

}

std::string capabilityText(int computeCapability)
{
    return std::to_string(computeCapability / 10) + "." + std::to_string(computeCapability % 10);
}

std::string cudaVersionText(int cudaVersion)
{
    return std::to_string(cudaVersion / 1000) + "." + std::to_string(cudaVersion % 1000 / 10);
}

bool hasNvidiaDriver()
{
    return bool(Library(driverName));
}

NvidiaDriver nvidiaDriver()
{
    NvidiaDriver found;
    const auto failed = [&found](const std::string& problem, const std::string& remedy) {
        found.problem = problem;
        found.remedy = remedy;
        return found;
    };
    static const Library driver(driverName);  // stays, as CUDA's runtime uses it
    if (!driver)
        return failed("the NVIDIA driver is missing (libcuda.so.1)", "install it; nvidia-smi then lists the GPU");
    const Management management;
    found.version = management.driverVersion();
    driver("cuDriverGetVersion", &found.cudaVersion);
    int count = 0;
    int error = driver("cuInit", 0U);
    if (error == 0)
        error = driver("cuDeviceGetCount", &count);
    if (error != 0) {
        constexpr int noDevice = 100, otherModule = 803, otherModuleToo = 804;
        if (error == noDevice)
            return failed("the NVIDIA driver finds no GPU", "nvidia-smi and CUDA_VISIBLE_DEVICES tell why");
        if (error == otherModule || error == otherModuleToo)
            return failed("the NVIDIA driver and its kernel module are of different versions",
                          "restart the machine");
        return failed("the NVIDIA driver cannot be used (CUDA error " + std::to_string(error) + ")",
                      "nvidia-smi should tell why");
    }
    if (count == 0)
        return failed("the NVIDIA driver finds no GPU", "nvidia-smi and CUDA_VISIBLE_DEVICES tell why");
    for (int number = 0; number < count; ++number)
        found.gpus.push_back(gpuOf(driver, management, number));
    if (found.cudaVersion < oldestCuda)
        return failed("the NVIDIA driver" + (found.version.empty() ? "" : " " + found.version) + " supports CUDA "
                          + cudaVersionText(found.cudaVersion) + ", and CUDA 13 is needed",
                      "install driver 580 or later");
    return found;
}

}

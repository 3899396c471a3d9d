#include "core/device/device.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/device/gpu_names.h"
#include "core/distributed/launch.h"
#include "core/kernels/linear_timings.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <dlfcn.h>
#include <sys/sysinfo.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <mutex>

namespace attnscope {

namespace {

/// A line of /proc/meminfo, in kibibytes.
int64_t memoryBytes(const std::string& key)
{
    const std::string value = procValue("/proc/meminfo", key);
    return parseNumber<int64_t>(std::string_view(value).substr(0, value.find(' '))).value_or(0) * 1024;
}

std::string processorName()
{
    const std::string name = procValue("/proc/cpuinfo", "model name");
    return name.empty() ? "CPU" : name;
}

int64_t cudaDeviceCount()
{
    if (!c10::impl::hasDeviceGuardImpl(c10::DeviceType::CUDA))
        return 0;
    return c10::impl::getDeviceGuardImpl(c10::DeviceType::CUDA)->deviceCount();
}

std::string gpuName(int64_t index)
{
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    const auto models = visibleGpuModels(installedGpus(), variable("CUDA_VISIBLE_DEVICES"),
                                         variable("CUDA_DEVICE_ORDER"));
    const auto i = size_t(index);
    return i < models.size() && !models[i].empty() ? models[i] : "NVIDIA GPU";
}

DeviceInfo noGpu()
{
    DeviceInfo info{.name = "cuda", .description = "NVIDIA GPU", .available = false};
#ifdef ATTNSCOPE_CUDA
    info.reason = "no NVIDIA GPU responds; install its driver (nvidia-smi should list it)";
#else
    info.reason = "this build runs on the CPU only; build with -DATTNSCOPE_CUDA=ON and a LibTorch with CUDA "
                  "(docs/building.md)";
#endif
    return info;
}

int64_t parseIndex(const std::string& name)
{
    const auto index = parseNumber(std::string_view(name).substr(5), int64_t{0},
                                   std::numeric_limits<int64_t>::max());
    if (!index)
        throw UsageError("", "`" + printable(name) + "` is an unknown device",
                         "devices are auto, cpu, cuda and cuda:N");
    return *index;
}

/// LibTorch counts processors, not what a quota allows of them.
void limitThreads()
{
    static std::once_flag once;
    std::call_once(once, [] {
        const bool chosen = std::getenv("OMP_NUM_THREADS") != nullptr || std::getenv("MKL_NUM_THREADS") != nullptr;
        if (!chosen && usableProcessors() < at::get_num_threads())
            at::set_num_threads(usableProcessors());  // also in threads that have not used LibTorch yet
    });
}

std::string nowText()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char buffer[32];
    std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return buffer;
}

}

std::vector<DeviceInfo> devices()
{
    limitThreads();
    std::vector<DeviceInfo> list;
    list.push_back({.name = "cpu",
                    .description = processorName() + ", " + counted(at::get_num_threads(), "thread"),
                    .memoryBytes = memoryBytes("MemTotal"),
                    .freeBytes = memoryBytes("MemAvailable")});
    const int64_t gpus = cudaDeviceCount();
    for (int64_t i = 0; i < gpus; ++i)
        list.push_back({.name = "cuda:" + std::to_string(i), .description = gpuName(i)});
    if (gpus == 0)
        list.push_back(noGpu());
    return list;
}

std::string resolveDevice(const std::string& name)
{
    // Parity first: no implicit reduced-precision products or sums.
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
    at::globalContext().setAllowFP16ReductionCuBLAS(false);
    at::globalContext().setAllowBF16ReductionCuBLAS(false);
    if (name == "cpu")
        return name;
    const int64_t gpus = cudaDeviceCount();
    const bool automatic = name == "auto" || name.empty();
    if (automatic && gpus == 0)
        return "cpu";
    const bool indexed = name.starts_with("cuda:");
    if (!automatic && name != "cuda" && !indexed)
        throw UsageError("", "`" + printable(name) + "` is an unknown device",
                         "devices are auto, cpu, cuda and cuda:N");
    if (gpus == 0)
        throw Unsupported(name, noGpu().reason, "or use --device cpu");
    const int64_t index = indexed ? parseIndex(name) : launch().localRank % gpus;
    if (index >= gpus)
        throw Unsupported(name, "there are only " + std::to_string(gpus) + " GPUs",
                          "the last is cuda:" + std::to_string(gpus - 1));
    return "cuda:" + std::to_string(index);
}

int64_t setThreads(int64_t threads)
{
    if (threads < 0 || threads > 4096)
        throw UsageError("", counted(threads, "thread") + " cannot be used",
                         "give 1 to 4096, or 0 for one per core");
    limitThreads();
    if (threads > 0)
        at::set_num_threads(int(threads));
    return at::get_num_threads();
}

std::string torchLibrary()
{
    Dl_info library{};
    return dladdr(reinterpret_cast<const void*>(&at::get_num_threads), &library) != 0 ? library.dli_fname : "";
}

DeviceSummary summarise(const std::string& device)
{
    DeviceSummary summary{.name = device, .description = processorName(), .threads = at::get_num_threads()};
    if (device.starts_with("cuda"))
        summary.description = gpuName(device.size() > 5 ? parseIndex(device) : 0);
    return summary;
}

Environment environment()
{
    Environment environment;
    environment.attnscope = version;
    environment.torch = torchVersion;
    environment.compiler = "GCC " __VERSION__;
    environment.instructionSet = at::get_cpu_capability();
    environment.kernels = kernels::kernelsInUse();
    environment.started = nowText();
    double load = 0;
    environment.loadAverage = getloadavg(&load, 1) == 1 ? load : -1;
    return environment;
}

}

#include "core/device/device.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/device/cuda/cuda_support.h"
#include "core/distributed/launch.h"
#include "core/kernels/linear_timings.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <dlfcn.h>
#include <sys/sysinfo.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <mutex>

namespace attnscope {

namespace {

/// The oldest GPUs that LibTorch's libraries for CUDA 13 are compiled for.
constexpr int oldestCapability = 75;

/// The value behind "key : " in a file of /proc.
std::string procValue(const char* path, const std::string& key)
{
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
        if (const size_t colon = line.find(':'); line.starts_with(key) && colon != std::string::npos)
            return printable(trim(std::string_view(line).substr(colon + 1)));
    return {};
}

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

DeviceInfo infoOf(const InstalledGpu& gpu, size_t number)
{
    DeviceInfo info{.name = "cuda:" + std::to_string(number),
                    .description = gpu.model,
                    .memoryBytes = gpu.memoryBytes,
                    .freeBytes = gpu.freeBytes};
    if (gpu.computeCapability > 0 && gpu.computeCapability < oldestCapability) {
        info.available = false;
        info.reason = "LibTorch's libraries are for GPUs of compute capability 7.5 or later, and this one has "
                      + capabilityText(gpu.computeCapability);
    }
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

DeviceInfo cpuDevice()
{
    limitThreads();
    return {.name = "cpu",
            .description = processorName() + ", " + counted(at::get_num_threads(), "thread"),
            .memoryBytes = memoryBytes("MemTotal"),
            .freeBytes = memoryBytes("MemAvailable")};
}

std::vector<DeviceInfo> devices()
{
    std::vector<DeviceInfo> list{cpuDevice()};
    const NvidiaDriver driver = nvidiaDriver();  // asked again, for the free memory of this moment
    for (size_t i = 0; i < driver.gpus.size(); ++i) {
        list.push_back(infoOf(driver.gpus[i], i));
        if (!cudaSupport().works()) {
            list.back().available = false;
            list.back().reason = cudaSupport().reason();
        }
    }
    if (driver.gpus.empty())
        list.push_back(
            {.name = "cuda", .description = "NVIDIA GPU", .available = false, .reason = cudaSupport().reason()});
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
    const bool automatic = name == "auto" || name.empty(), indexed = name.starts_with("cuda:");
    if (!automatic && name != "cuda" && !indexed)
        throw UsageError("", "`" + printable(name) + "` is an unknown device",
                         "devices are auto, cpu, cuda and cuda:N");
    const int64_t gpus = cudaSupport().gpus;
    if (automatic && gpus == 0)
        return "cpu";
    if (gpus == 0)
        throw Unsupported(name, cudaSupport().reason(), "or use --device cpu");
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
    if (!device.starts_with("cuda"))
        return summary;
    const std::vector<InstalledGpu> gpus = nvidiaDriver().gpus;
    const auto number = size_t(device.size() > 5 ? parseIndex(device) : 0);
    const InstalledGpu gpu = number < gpus.size() ? gpus[number] : InstalledGpu{.model = "NVIDIA GPU"};
    summary.description = gpu.model;
    summary.clockMhz = gpu.clockMhz;
    summary.powerLimitWatts = gpu.powerLimitWatts;
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

// What GPUs there are and what keeps them from being used; LibTorch's libraries for them: fetched and removed.
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/device/cuda/cuda_libraries.h"
#include "core/device/cuda/cuda_support.h"
#include "core/run/run_options.h"

#include <spawn.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

struct GpuArguments {
    std::string action;
    OutputOptions output;
};

void visitOptions(GpuArguments& arguments, auto& visit)
{
    visit("ACTION", arguments.action,
          OptionRule{.words = {"install", "remove"}, .type = "ACTION", .showsDefault = false},
          "install: download LibTorch's libraries for GPUs into the cache folder (2.5 GB); remove: delete them "
          "there; without it, what was found is shown");
    visitJson(arguments.output, visit);
}

std::string describe(const InstalledGpu& gpu)
{
    std::string text = gpu.model;
    if (gpu.computeCapability > 0)
        text += ", compute capability " + capabilityText(gpu.computeCapability);
    if (gpu.memoryBytes > 0)
        text += ", " + formatBytes(gpu.memoryBytes).text();
    if (gpu.freeBytes > 0)
        text += " (" + formatBytes(gpu.freeBytes).text() + " free)";
    if (gpu.clockMhz)
        text += ", " + std::to_string(*gpu.clockMhz) + " MHz";
    if (gpu.powerLimitWatts)
        text += ", limited to " + std::to_string(std::lround(*gpu.powerLimitWatts)) + " W";
    return text;
}

std::string withRemedy(const std::string& problem, const std::string& remedy)
{
    return problem + (remedy.empty() ? "" : "; " + remedy);
}

/// The folder that LibTorch's libraries were loaded from, or would be.
struct TorchState {
    std::string path, problem;
};

TorchState torchState(const CudaSupport& cuda)
{
    if (!cuda.torch.empty())
        return {cuda.torch, {}};
    const CudaLibraries found = findCudaLibraries();
    return found.torch.empty() ? TorchState{{}, withRemedy(found.problem, found.remedy)}
                               : TorchState{found.library().string(), {}};
}

ExitCode show(const OutputOptions& output)
{
    const JsonTarget target(output.json);
    const CudaSupport& cuda = cudaSupport();
    const NvidiaDriver& driver = cuda.driver;
    const TorchState torch = torchState(cuda);
    Table table = tableOf({"", ""});
    const std::string cudaVersion = cudaVersionText(driver.cudaVersion);
    table.addTexts({"driver", !driver.problem.empty() ? withRemedy(driver.problem, driver.remedy)
                                                      : (driver.version.empty() ? "there" : driver.version)
                                                            + ", for CUDA up to " + cudaVersion});
    Json gpus = Json::array();
    for (size_t i = 0; i < driver.gpus.size(); ++i) {
        const InstalledGpu& gpu = driver.gpus[i];
        const std::string name = "cuda:" + std::to_string(i);
        table.addTexts({name, describe(gpu)});
        gpus.push_back({{"name", name},
                        {"model", gpu.model},
                        {"compute_capability", capabilityText(gpu.computeCapability)},
                        {"memory_bytes", gpu.memoryBytes},
                        {"free_bytes", gpu.freeBytes > 0 ? Json(gpu.freeBytes) : Json(nullptr)},
                        {"clock_mhz", gpu.clockMhz ? Json(*gpu.clockMhz) : Json(nullptr)},
                        {"power_limit_watts", finiteOrNull(gpu.powerLimitWatts)}});
    }
    table.addTexts({"LibTorch", printable(torch.path.empty() ? torch.problem : torch.path)});
    std::string kernels = cuda.libraryProblem;
    if (cuda.library != nullptr)
        kernels = printable(cuda.libraryFile)
                  + (cuda.kernels() != nullptr
                         ? ""
                         : ", built without kernels (nvcc): attention is LibTorch's operators");
    if (!kernels.empty())
        table.addTexts({"Attnscope's own", kernels});
    const bool isSaid = !driver.problem.empty() || !torch.problem.empty();
    table.addTexts({"in use", cuda.works() ? counted(cuda.gpus, "GPU")
                              : isSaid     ? "none"
                                           : "none: " + cuda.reason()});
    target.print(terminalTable(table), {{"works", cuda.works()},
                                        {"reason", textOrNull(cuda.reason())},
                                        {"driver",
                                         {{"version", textOrNull(driver.version)},
                                          {"cuda", driver.cudaVersion > 0 ? Json(cudaVersion) : Json(nullptr)},
                                          {"problem", textOrNull(driver.problem)}}},
                                        {"gpus", gpus},
                                        {"libtorch",
                                         {{"path", textOrNull(torch.path)},
                                          {"runtime", textOrNull(cuda.runtime)},
                                          {"problem", textOrNull(torch.problem)}}},
                                        {"kernels",
                                         {{"path", textOrNull(cuda.kernels() != nullptr ? cuda.libraryFile : "")},
                                          {"problem", textOrNull(cuda.kernels() != nullptr ? "" : kernels)}}}});
    return ExitCode::Done;
}

/// The script that fetches them, seen from libexec/attnscope, where the program is installed, else in the source tree.
fs::path fetchingScript()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    for (const fs::path& folder :
         {program.parent_path() / "../../share/attnscope/packaging", fs::path(ATTNSCOPE_PACKAGING_DIR)})
        if (fs::exists(folder / "fetch_libtorch.sh", error))
            return (folder / "fetch_libtorch.sh").lexically_normal();
    throw FileError("gpu install", "fetch_libtorch.sh is not installed",
                    "install Attnscope with its share/attnscope folder");
}

/// The program's exit code; its output is ours. A stop ends it with all that it has started.
int runProgram(std::vector<std::string> words, const std::stop_token& stop)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments[0], nullptr, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw FileError(words[0], "it cannot be started", "install it");
    int status = 0;
    while (::waitpid(process, &status, WNOHANG) == 0) {
        if (stop.stop_requested())
            ::kill(-process, SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : int(ExitCode::Interrupted);
}

ExitCode install(std::stop_token stop)
{
    if (const CudaLibraries found = findCudaLibraries(); !found.torch.empty()) {
        writeMessage("LibTorch's libraries for GPUs are there already: " + printable(found.torch.string()));
        return ExitCode::Done;
    }
    if (!hasNvidiaDriver())
        writeMessage("NVIDIA's driver is missing here, without which they cannot be used.");
    const int code = runProgram({"bash", fetchingScript().string(), "--cuda"}, stop);
    return stop.stop_requested() ? ExitCode::Interrupted : code == 0 ? ExitCode::Done : ExitCode::Failed;
}

ExitCode remove()
{
    const fs::path folder = installedCudaFolder();
    uintmax_t files = 0;
    std::error_code error;
    for (const char* suffix : {"", ".part", ".lock"}) {
        const fs::path each = folder.string() + suffix;
        files += fs::exists(each, error) ? fs::remove_all(each, error) : 0;
        if (error)
            throw FileError(each.string(), "it cannot be removed (" + error.message() + ")",
                            "check the permissions of its folder");
    }
    writeMessage(files == 0 ? printable(folder.string()) + " is not there, so nothing was removed."
                            : printable(folder.string()) + " was removed.");
    return ExitCode::Done;
}

ExitCode runGpu(GpuArguments& arguments, std::stop_token stop)
{
    return arguments.action == "install"  ? install(std::move(stop))
           : arguments.action == "remove" ? remove()
                                          : show(arguments.output);
}

}

void addGpuCommand(CommandList& commands)
{
    commands.add(
        "gpu",
        "Shows which NVIDIA GPUs can be used and what is missing, and fetches LibTorch's libraries for them",
        {"gpu", "gpu install", "gpu remove"}, runGpu);
}

}

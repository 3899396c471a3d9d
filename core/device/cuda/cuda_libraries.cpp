#include "core/device/cuda/cuda_libraries.h"

#include "core/base/file_descriptor.h"
#include "core/base/text.h"
#include "core/device/cuda/nvidia_driver.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view neededVersion = "2.11.0", neededCuda = "13";
constexpr const char* givenVariable = "ATTNSCOPE_LIBTORCH_CUDA";
constexpr const char* installRemedy = "attnscope-cli gpu install fetches it (2.5 GB)";
/// By name, and not by path, in which the loader takes blanks and colons as separators.
constexpr std::string_view preloaded = "libcudart.so.13:libcupti.so.13";

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// The text between quotes in the line of torch/version.py that begins with `name`.
std::string versionLine(const fs::path& torch, std::string_view name)
{
    std::ifstream stream(torch / "version.py");
    for (std::string line; std::getline(stream, line);) {
        const size_t begin = line.find('\'');
        if (line.starts_with(name) && begin != std::string::npos)
            return printable(line.substr(begin + 1, line.find('\'', begin + 1) - begin - 1));
    }
    return {};
}

/// What is wrong with this folder; empty: it can be used, and `found` has it.
std::string refusal(const fs::path& torch, CudaLibraries& found)
{
    const std::string where = printable(torch.string());
    std::error_code error;
    const std::string version = versionLine(torch, "__version__"), cuda = versionLine(torch, "cuda");
    if (version.substr(0, version.find('+')) != neededVersion)
        return where + " is PyTorch " + (version.empty() ? "of an unknown version" : version);
    if (!fs::exists(torch / "lib/libtorch_cuda.so", error))
        return where + " is PyTorch " + version + ", without CUDA";
    if (cuda.substr(0, cuda.find('.')) != neededCuda)
        return where + " is PyTorch " + version + " for CUDA " + (cuda.empty() ? "of an unknown version" : cuda);
    for (const char* place : {"../nvidia/cu13/lib", "../nvidia/cuda_runtime/lib", "lib"})
        if (fs::exists(torch / place / "libcudart.so.13", error)) {
            found.torch = torch;
            found.runtime = (torch / place).lexically_normal();
            return {};
        }
    return where + " lacks NVIDIA's libraries (libcudart.so.13)";
}

/// Folders of PyTorch in a Python environment.
std::vector<fs::path> torchIn(const fs::path& environment)
{
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(environment / "lib", error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().filename().string().starts_with("python3"))
            folders.push_back(entry->path() / "site-packages/torch");
    return folders;
}

/// That of python3 on the path. It is looked up, not imported, and not in the working folder.
fs::path pythonsTorch()
{
    char program[] = "python3", option[] = "-c", text[] = R"(import sys
sys.path[:] = [p for p in sys.path if p]
import importlib.util
torch = importlib.util.find_spec("torch")
print(torch.submodule_search_locations[0] if torch else ""))";
    char* const arguments[] = {program, option, text, nullptr};
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return {};
    const FileDescriptor from(ends[0]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, program, &actions, nullptr, arguments, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0)
        return {};
    std::string line;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(from.number(), bytes, sizeof bytes)) > 0;)
        line.append(bytes, size_t(count));
    ::waitpid(process, nullptr, 0);
    return trim(line);
}

void prepend(const char* name, const std::string& value)
{
    const std::string before = variable(name);
    ::setenv(name, (before.empty() ? value : value + ":" + before).c_str(), 1);
}

void takeBack(const char* name, const std::string& value)
{
    const std::string now = variable(name);
    if (now == value)
        ::unsetenv(name);
    else if (now.starts_with(value + ":"))
        ::setenv(name, now.c_str() + value.size() + 1, 1);
}

}

fs::path installedCudaFolder()
{
    const std::string given = variable("ATTNSCOPE_CACHE"), cache = variable("XDG_CACHE_HOME"),
                      home = variable("HOME");
    const fs::path folder = !given.empty()   ? fs::path(given)
                            : !cache.empty() ? fs::path(cache) / "attnscope"
                            : !home.empty()  ? fs::path(home) / ".cache/attnscope"
                                             : fs::path();
    return folder.empty() ? folder : folder / ("libtorch-" + std::string(neededVersion) + "-cuda");
}

CudaLibraries findCudaLibraries()
{
    CudaLibraries found;
    std::error_code error;
    if (const fs::path given = variable(givenVariable); !given.empty()) {
        const fs::path torch = fs::exists(given / "torch/lib", error) ? given / "torch" : given;
        if (const std::string why = refusal(torch, found); !why.empty()) {
            found.problem = std::string(givenVariable) + " does not name torch 2.11.0 for CUDA 13: " + why;
            found.remedy = "correct the variable, or unset it";
        }
        return found;
    }
    std::vector<fs::path> places;
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string environment = variable(name); !environment.empty())
            for (fs::path& folder : torchIn(environment))
                places.push_back(std::move(folder));
    const auto search = [&](const std::vector<fs::path>& folders) {
        for (const fs::path& folder : folders) {
            if (folder.empty() || !fs::exists(folder / "version.py", error))
                continue;
            const std::string why = refusal(folder, found);
            if (why.empty())
                return true;
            if (found.problem.find(why) == std::string::npos)
                found.problem += (found.problem.empty() ? "" : ", ") + why;
        }
        return false;
    };
    if (search(places) || search({pythonsTorch()}) || search({installedCudaFolder() / "torch"})) {
        found.problem.clear();
        return found;
    }
    found.problem = "LibTorch's libraries for GPUs are missing (torch 2.11.0 for CUDA 13"
                    + (found.problem.empty() ? ")" : "; " + found.problem + ")");
    found.remedy = installRemedy;
    return found;
}

bool prepareForCuda()
{
    std::error_code error;
    const fs::path standIns = fs::read_symlink("/proc/self/exe", error).parent_path() / "../lib/attnscope/no-cuda";
    if (variable("LD_PRELOAD").starts_with(preloaded) || !fs::exists(standIns, error) || !hasNvidiaDriver())
        return false;
    const CudaLibraries libraries = findCudaLibraries();
    if (libraries.torch.empty())
        return false;
    ::setenv(givenVariable, libraries.torch.c_str(), 1);
    prepend("LD_LIBRARY_PATH", libraries.runtime.string());
    prepend("LD_PRELOAD", std::string(preloaded));
    return true;
}

void restoreEnvironment()
{
    if (!variable("LD_PRELOAD").starts_with(preloaded))
        return;
    takeBack("LD_PRELOAD", std::string(preloaded));
    takeBack("LD_LIBRARY_PATH", findCudaLibraries().runtime.string());
}

}

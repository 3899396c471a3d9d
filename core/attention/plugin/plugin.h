#pragma once

#include "core/attention/backend_info.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Attention that somebody else wrote, in a file that the user names: TorchScript from Python, or a library with C functions
/// (attnscope_plugin.h). It becomes a backend like any other. Its code runs in this process with all rights of the user, so that no project
/// file, store or record may ever name one: docs/plugins.md.
namespace attnscope {

/// What was loaded, independent of torch.
struct PluginInfo {
    std::string backend;         ///< "plugin-relu-linear", as specifications name it
    std::filesystem::path file;  ///< absolute
    int64_t bytes = 0;
    std::string sha256;
    bool isLibrary = false;                   ///< else TorchScript
    std::string name, title, help, citation;  ///< as it describes itself
    AttentionKind kind = AttentionKind::OtherKernel;

    /// "/home/me/relu.so, 16 104 bytes, SHA-256 1f3e…", for records.
    std::string provenance() const;
};

inline constexpr std::chrono::milliseconds checkDeadline{20'000};

/// Loads a file, checks it (`checkPlugin`) in a process of its own, and adds it to `backends()`. For the start of a program: nothing may
/// use the table of backends at the same time. Throws FileError or UsageError in one sentence; the same file again is no error.
PluginInfo loadPlugin(const std::filesystem::path& file, std::chrono::milliseconds deadline = checkDeadline);
/// Those loaded so far.
std::vector<PluginInfo> loadedPlugins();

/// Loads a file into this process and tries what a backend must do: on (1,2,49,16) with as many keys and (2,3,197,64) with 50 keys the
/// output has its shape, is finite and float32, has the same bits twice, is the same for a batch's element alone, and linear in v. Throws
/// FileError or UsageError; whatever the file does to the process is done to the caller.
PluginInfo checkPlugin(const std::filesystem::path& file);

/// `checkPlugin` in a child process: a crash, a hang or a failed check there is one sentence here.
PluginInfo checkPluginApart(const std::filesystem::path& file, std::chrono::milliseconds deadline = checkDeadline);

}

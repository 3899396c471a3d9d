#include "core/attention/plugin/plugin_method.h"
#include "core/base/error.h"
#include "core/base/process/own_program.h"
#include "core/base/text.h"

#include <dlfcn.h>

namespace attnscope {

namespace {

constexpr const char* moduleName = "attnscope-torchscript.so";

std::filesystem::path findModule()
{
    std::filesystem::path file = findOwnProgram(moduleName, "ATTNSCOPE_TORCHSCRIPT");
    if (file.empty())
        throw Unsupported(
            moduleName,
            "this library opens TorchScript, and it is neither next to this program nor in ../libexec/attnscope",
            "install it there, or name it in the environment variable ATTNSCOPE_TORCHSCRIPT");
    return file;
}

}

std::shared_ptr<const PluginMethod> loadPluginScript(const std::filesystem::path& file)
{
    // It stays loaded until the process ends, as the methods that it makes do.
    void* const module = ::dlopen(findModule().c_str(), RTLD_NOW | RTLD_LOCAL);
    using Open = PluginMethod*(const char*);
    auto* const open = module == nullptr ? nullptr
                                         : reinterpret_cast<Open*>(::dlsym(module, "attnscope_open_torchscript"));
    if (open == nullptr)
        throw Unsupported(moduleName, "the system could not load it (" + printable(::dlerror()) + ")",
                          "install Attnscope again");
    return std::shared_ptr<const PluginMethod>(open(file.c_str()));
}

}

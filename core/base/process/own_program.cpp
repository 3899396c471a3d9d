#include "core/base/process/own_program.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace attnscope {

std::filesystem::path findOwnProgram(const std::string& name)
{
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const std::filesystem::path& program : {folder / name, folder / "../libexec/attnscope" / name})
        if (::access(program.c_str(), X_OK) == 0)
            return program.lexically_normal();
    return {};
}

std::filesystem::path findOwnProgram(const std::string& name, const char* variable)
{
    const char* const named = std::getenv(variable);
    return named != nullptr && *named != '\0' ? std::filesystem::path(named) : findOwnProgram(name);
}

}

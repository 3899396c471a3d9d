#pragma once

#include <filesystem>
#include <string>

namespace attnscope {

/// Another program of Attnscope: next to the running one, or in ../libexec/attnscope from there. Empty if neither can be executed.
std::filesystem::path findOwnProgram(const std::string& name);
/// The file that the environment variable names, whether it can be executed or not; where it names none, findOwnProgram.
std::filesystem::path findOwnProgram(const std::string& name, const char* variable);

}

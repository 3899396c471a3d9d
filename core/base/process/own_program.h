// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace attnscope {

/// Another program of Attnscope: next to the running one, or in ../libexec/attnscope from there. Empty if neither can be executed.
[[nodiscard]] std::filesystem::path findOwnProgram(const std::string& name);

}  // namespace attnscope

#pragma once

#include "app/cli/commands/command.h"

#include <array>
#include <string>

namespace attnscope::cli {

inline constexpr std::array completionShells{"bash", "zsh", "fish"};

/// Made of the commands themselves: a command or option that is added is completed.
std::string completionScript(const CommandList& commands, const std::string& shell);

}

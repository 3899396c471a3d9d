#pragma once

#include "app/cli/commands/command.h"

#include <string>

namespace attnscope::cli {

/// Source code of the launcher's table: what this program prints for `--help`, `--version`, `COMMAND --help`, `COMMAND --version` and
/// `completion SHELL`.
std::string fixedTextsSource(const CLI::App& app, const CommandList& commands);

}

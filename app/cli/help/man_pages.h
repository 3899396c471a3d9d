#pragma once

#include "app/cli/commands/command.h"

#include <string>
#include <utility>
#include <vector>

namespace attnscope::cli {

/// Names of files (attnscope-cli-compare.1) and their roff: one page of the program, one for each command. Made of the same options as
/// `--help`.
std::vector<std::pair<std::string, std::string>> manPages(const CLI::App& app, const CommandList& commands);

}

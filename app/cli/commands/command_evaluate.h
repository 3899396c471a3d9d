#pragma once

#include "app/cli/commands/command.h"

#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::cli {

/// Does what `evaluate` does with these words as its arguments, but prints no tables. Throws CLI::ParseError, and what `evaluate` throws.
ExitCode evaluateWithoutTables(std::vector<std::string> words, std::stop_token stop);

}

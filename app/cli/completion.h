// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/command.h"

#include <string>
#include <vector>

/// Completion scripts for shells, made of the table of commands itself: a command or option that is added there is completed.
namespace attnscope::cli {

/// What may stand in one place of a command line.
struct CompletedValue {
    std::vector<std::string> words;
    bool files = false;

    bool operator==(const CompletedValue&) const = default;
};

struct CompletedOption {
    std::string longName, shortName;  ///< "--help", "-h"; the latter may be empty
    std::string help;
    bool takesValue = false;
    bool repeats = false;
    CompletedValue value;
};

struct CompletedCommand {
    std::string name, help;
    std::vector<CompletedOption> options;
    CompletedValue positional;
};

std::vector<CompletedCommand> completedCommands(const CommandList& commands);

std::string bashCompletion(const std::vector<CompletedCommand>& commands);
std::string zshCompletion(const std::vector<CompletedCommand>& commands);
std::string fishCompletion(const std::vector<CompletedCommand>& commands);

}  // namespace attnscope::cli

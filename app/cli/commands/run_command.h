// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/commands/lab_command.h"
#include "app/cli/exit_code.h"

#include <functional>
#include <stop_token>
#include <string>

namespace attnscope::cli {

/// What `classify` and `compare` have besides.
struct RunArguments : LabArguments {
    std::string labels;  ///< a file of class names; empty: the model's own
    RunRequest request;
};

void addRunArguments(CLI::App& command, RunArguments& arguments);

/// Opens the model, runs the request on every input, prints with `describe`, writes JSON.
/// Failed when every input was unreadable or an attention could not run; SomeUnreadable when some inputs were.
ExitCode runOnInputs(RunArguments& arguments, const std::function<std::string(const RunReport&)>& describe,
                     std::stop_token stop);

}  // namespace attnscope::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exit_code.h"
#include "app/cli/input/arguments.h"
#include "app/cli/input/inputs.h"
#include "core/run/compare.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::cli {

/// What `classify` and `compare` share: a model, inputs, attentions.
struct RunArguments {
    InputArguments inputs;
    ModelRequest model;
    DeviceArguments device;
    OutputArguments output;
    std::vector<std::string> attention;
    std::string labels;  ///< a file of class names; empty: the model's own
    ViewGrid usualViews;  ///< of videos, where --views does not say
    RunRequest request;
};

void addRunArguments(CLI::App& command, RunArguments& arguments);

/// Opens the model, runs the request on every input, prints with `describe`, writes JSON.
/// Failed when every input was unreadable or an attention could not run; SomeUnreadable when some inputs were.
ExitCode runOnInputs(RunArguments& arguments, const std::function<std::string(const RunReport&)>& describe,
                     std::stop_token stop);

}  // namespace attnscope::cli

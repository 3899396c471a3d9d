// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/output/report_tables.h"

namespace attnscope::cli {

namespace {

ExitCode run(RunArguments& arguments, std::stop_token stop)
{
    if (arguments.attention.empty())
        arguments.attention = {"native"};
    arguments.request.latency = arguments.request.memory = arguments.request.error = false;
    return runOnInputs(arguments, describePredictions, stop);
}

}  // namespace

void addClassifyCommand(CommandList& commands)
{
    const auto arguments = std::make_shared<RunArguments>();
    arguments->usualViews = {10, 3};  // the published protocol
    CLI::App& command = commands.add(
        "classify", "Predicts classes of images and videos",
        {"classify cat.jpg --weights deit_tiny.safetensors --model deit_tiny_patch16_224",
         "classify photos/ --weights W.safetensors --attention softmax --attention lara:samples=49 --json -",
         "classify juggling.mp4 --weights mformer.pyth --labels kinetics400.json --views 10x3"},
        [arguments](std::stop_token stop) { return run(*arguments, stop); });
    addRunArguments(command, *arguments);
}

}  // namespace attnscope::cli

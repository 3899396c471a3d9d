// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/commands/run_command.h"
#include "app/cli/output/report_tables.h"
#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope::cli {

namespace {

struct CompareArguments : RunArguments {
    bool withoutLatency = false, withoutGraphs = false, withoutMemory = false, withoutError = false;
};

ExitCode run(CompareArguments& arguments, std::stop_token stop)
{
    if (arguments.attention.empty())
        throw UsageError("compare", "no attention was specified",
                         "give --attention at least once; the attentions are " + joinWords(attentionNames(), "and"));
    arguments.request.latency = !arguments.withoutLatency;
    arguments.request.recordPasses = !arguments.withoutGraphs;
    arguments.request.memory = !arguments.withoutMemory;
    arguments.request.error = !arguments.withoutError;
    return runOnInputs(arguments, describeComparison, stop);
}

void addMeasurements(CLI::App& command, CompareArguments& arguments)
{
    addSeeds(command, arguments.request.seeds);
    addInteger(command, "--repetitions", arguments.request.minimumRepetitions,
               "Minimum number of timed passes per attention", 1, 1000000);
    addReal(command, "--seconds", arguments.request.minimumSeconds, "Minimum time to spend on timing each attention", 0, 3600, "S");
    command.add_flag("--no-latency", arguments.withoutLatency, "Skip timing");
    command.add_flag("--no-cuda-graphs", arguments.withoutGraphs, "On a GPU, launch kernels individually when timing instead of "
                                                                  "using a CUDA graph");
    command.add_flag("--no-memory", arguments.withoutMemory, "Skip memory measurement");
    command.add_flag("--no-error", arguments.withoutError, "Skip the approximation error");
}

}  // namespace

void addCompareCommand(CommandList& commands)
{
    const auto arguments = std::make_shared<CompareArguments>();
    CLI::App& command = commands.add(
        "compare", "Compares predictions, latency, memory and approximation error of several attentions side by side",
        {"compare cat.jpg --weights untrained --model deit_tiny_patch16_224 --attention softmax --attention "
         "performer",
         "compare photos/ --weights W.safetensors --attention softmax --attention lara:samples=49,beta=2 --seeds "
         "10 --json result.json",
         "compare juggling.mp4 --weights mformer.pyth --attention softmax --attention lara --views 2x1"},
        [arguments](std::stop_token stop) { return run(*arguments, stop); });
    addRunArguments(command, *arguments);
    addMeasurements(command, *arguments);
}

}  // namespace attnscope::cli

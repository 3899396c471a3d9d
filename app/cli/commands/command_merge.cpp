// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/evaluate_output.h"
#include "app/cli/output/json_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/store/result_store.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

struct MergeArguments {
    std::string out;
    std::vector<std::string> parts;
    OutputArguments output;
};

ExitCode merge(const MergeArguments& arguments, const std::stop_token& stop)
{
    const JsonTarget target(arguments.output.json);
    for (const std::string& part : arguments.parts)
        ResultStore(part, ResultStore::Mode::Read);  // all are there before the first is merged
    ResultStore store(arguments.out, ResultStore::Mode::Write);
    for (const std::string& part : arguments.parts) {
        if (stop.stop_requested())
            throw Cancelled();
        store.merge(part);
    }
    std::string text;
    for (const StoredEvaluation& evaluation : store.evaluations())
        text += fmt::format(
            "evaluation {}: {}, {} of {} samples, {} {}{}\n", evaluation.id, printable(evaluation.settings.model),
            formatCount(evaluation.done), formatCount(evaluation.samples), evaluation.runs.size(),
            evaluation.runs.size() == 1 ? "attention" : "attentions",
            evaluation.done < evaluation.samples ? "; incomplete, merge the other parts as well" : "");
    target.print(text, {{"store", jsonPath(arguments.out)}, {"evaluations", evaluationsJson(store, store.evaluations())}});
    return ExitCode::Done;
}

}  // namespace

void addMergeCommand(CommandList& commands)
{
    auto arguments = std::make_shared<MergeArguments>();
    CLI::App& command = commands.add(
        "merge", "Merges parts of evaluations that ran with --shard, or on several machines, into one store",
        {"merge runs.sqlite part1.sqlite part2.sqlite part3.sqlite"},
        [arguments](std::stop_token stop) { return merge(*arguments, stop); });
    command.add_option("OUT", arguments->out, "The store that the parts are added to; created if it does not exist")
        ->required()
        ->type_name("FILE");
    command.add_option("PART", arguments->parts, "Stores to merge; parts that are already there change nothing")
        ->required()
        ->expected(1, -1)
        ->type_name("FILE");
    addJson(command, arguments->output);
}

}  // namespace attnscope::cli

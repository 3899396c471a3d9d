// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/run_command.h"

#include "app/cli/input/labels.h"
#include "app/cli/output/console.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/report_tables.h"
#include "app/cli/output/run_console.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/run/record_json.h"

#include <algorithm>

namespace attnscope::cli {

namespace {

bool anyFailure(const RunReport& report)
{
    return std::any_of(report.inputs.begin(), report.inputs.end(), [](const InputRecord& input) {
        return std::any_of(input.runs.begin(), input.runs.end(),
                           [](const RunRecord& run) { return !run.failure.empty(); });
    });
}

ExitCode exitCodeOf(const RunReport& report)
{
    if (report.inputs.empty() || anyFailure(report))
        return ExitCode::Failed;
    return report.unreadable.empty() ? ExitCode::Done : ExitCode::SomeUnreadable;
}

void print(const RunReport& report, const JsonTarget& target, Json json,
           const std::function<std::string(const RunReport&)>& describe)
{
    if (!target.replacesTables() && !report.inputs.empty())
        writeData(describeConditions(report) + describe(report));
    target.write(json);
}

/// A checkpoint that does not fit is told in full in the JSON, in a sentence on standard error.
LabModel openReported(RunArguments& arguments, const JsonTarget& target, std::stop_token stop)
{
    try {
        return openLab(arguments, std::move(stop));
    } catch (const CheckpointMismatch& mismatch) {
        target.write({{"error", mismatch.what()}, {"load", toJson(mismatch.report())}});
        throw;
    }
}

}  // namespace

void addRunArguments(CLI::App& command, RunArguments& arguments)
{
    addInputs(command, arguments.inputs);
    addVideo(command, arguments.inputs.video, arguments.usualViews);
    addModel(command, arguments.model);
    addAttention(command, arguments.attention);
    addText(command, "--labels", arguments.labels, "Class names: one per line, or a JSON list or object");
    addInteger(command, "--topk", arguments.request.topK, "Classes to show for each attention", 1, 100000, "K");
    command.add_flag("--logits", arguments.request.keepLogits, "Include the logits in the JSON");
    addDevice(command, arguments.device, {"float32", "bfloat16", "float16"});
    addSeed(command, arguments.device);
    addJson(command, arguments.output);
    addQuiet(command, arguments.output);
}

ExitCode runOnInputs(RunArguments& arguments, const std::function<std::string(const RunReport&)>& describe,
                     std::stop_token stop)
{
    arguments.request.attention = parseSpecs(arguments.attention);
    arguments.request.seed = arguments.device.seed;
    const JsonTarget target(arguments.output.json);
    const LabModel lab = openReported(arguments, target, stop);
    std::vector<std::string> labels;
    if (!arguments.labels.empty())
        labels = readLabels(arguments.labels, lab.summary.classes, arguments.inputs.limits);
    ProgressLine progress(arguments.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic);
    RunConsole console(progress, lab.sources.size(), arguments.request);
    RunReport begun = beginReport(*lab.classifier, arguments.request);  // for what was finished, should the user stop the run
    try {
        RunReport report = run(*lab.classifier, lab.sources, arguments.request, console, stop);
        progress.finish();
        nameClasses(report, labels);
        print(report, target, toJson(report), describe);
        return exitCodeOf(report);
    } catch (const Cancelled&) {
        progress.finish();
        begun.inputs = console.inputs();
        begun.unreadable = console.unreadable();
        RunReport report = std::move(begun);
        nameClasses(report, labels);
        Json json = toJson(report);
        json["interrupted"] = true;
        print(report, target, std::move(json), describe);
        throw;
    }
}

}  // namespace attnscope::cli

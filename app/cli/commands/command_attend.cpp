// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/attend_output.h"
#include "app/cli/output/console.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/progress_line.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/lab/attend/attend.h"

#include <algorithm>

namespace attnscope::cli {

namespace {

struct AttendArguments {
    AttendRequest request;
    std::string file, out, grid, noise = "file";
    std::vector<std::string> attention;
    DeviceArguments device{.dtype = "auto"};
    OutputArguments output;
    bool withoutLatency = false, check = false;
};

TokenGrid parseGrid(const std::string& text)
{
    const auto good = [](std::int64_t side) { return side > 0 && side <= 65536; };
    const auto sides = parsePair<std::int64_t>(text, "x");
    if (!sides || !good(sides->first) || !good(sides->second))
        throw UsageError("--grid", "`" + printable(text) + "` is not a grid", "write ROWSxCOLUMNS, such as 14x14");
    return {sides->first, sides->second};
}

/// Whether `--check` is content: something was compared, and nothing differs by more than its tolerance.
bool allWithinTolerance(const AttendReport& report)
{
    bool compared = false;
    for (const AttendCase& one : report.cases) {
        if (one.expected && !one.expected->within())
            return false;
        compared = compared || one.expected;
    }
    return compared;
}

ExitCode run(AttendArguments& arguments, std::stop_token stop)
{
    AttendRequest& request = arguments.request;
    request.attention = parseSpecs(arguments.attention);
    const JsonTarget target(arguments.output.json);
    request.file = arguments.file;
    request.out = arguments.out;
    if (!arguments.grid.empty())
        request.grid = parseGrid(arguments.grid);
    request.noise = arguments.noise == "file" ? NoiseOrigin::File : NoiseOrigin::Drawn;
    request.seed = arguments.device.seed;
    request.dtype = arguments.device.dtype;
    request.latency = !arguments.withoutLatency;
    request.device = chooseDevice(arguments.device);

    ProgressLine progress(arguments.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic);
    progress.start(0, "");
    const AttendReport report = attend(
        request, [&](const Progress& p) { progress.show(p.what); }, stop);
    progress.finish();
    target.print(describeAttend(report), attendJson(report));
    const bool none = std::all_of(report.cases.begin(), report.cases.end(),
                                  [](const AttendCase& c) { return !c.unavailable.empty(); });
    if (none)
        throw Unsupported(report.file, report.cases.front().unavailable);
    if (!arguments.check || allWithinTolerance(report))
        return ExitCode::Done;
    writeMessage(printable(report.file)
                 + ": the result differs from the file's own output by more than its tolerance, or the file has no output.");
    return ExitCode::Failed;
}

void addOptions(CLI::App& command, AttendArguments& arguments)
{
    AttendRequest& request = arguments.request;
    command
        .add_option(
            "QKV", arguments.file,
            "Safetensors file with q, k, v (batch, heads, tokens, channels), or x with qkv and proj weights")
        ->required();
    addAttention(command, arguments.attention);
    addText(command, "--out", arguments.out, "Write the output tensors to this safetensors file");
    addText(command, "--grid", arguments.grid, "Token grid as ROWSxCOLUMNS (14x14)", "HxW");
    addInteger(command, "--frames", request.frames, "Attend to the keys of each of N frames separately; 0: as the file's header says", 0, 65536);
    addReal(command, "--tau", request.temperature, "Multiply the logits by X: q and k are each multiplied by its square root", 1e-6, 1e6);
    addChoice(command, "--noise", arguments.noise,
              "Use the noise tensors in the file (file) or draw them from the seed (drawn)", {"file", "drawn"}, "FROM");
    addInteger(command, "--repetitions", request.minimumRepetitions, "Minimum number of timed calls per attention", 1, 1000000);
    addReal(command, "--seconds", request.minimumSeconds, "Minimum time to spend on timing each attention", 0, 3600, "S");
    command.add_flag("--no-latency", arguments.withoutLatency, "Skip timing");
    command.add_flag("--check", arguments.check,
                     "Exit code 1 when the result differs from the file's own `out` by more than its tolerance");
}

}  // namespace

void addAttendCommand(CommandList& commands)
{
    const auto arguments = std::make_shared<AttendArguments>();
    CLI::App& command = commands.add(
        "attend", "Runs one attention on dumped q, k, v: error compared with softmax, cost, difference from a reference",
        {"attend golden.safetensors --check",
         "attend qkv.safetensors --attention lara:samples=49 --grid 14x14 --seeds 10 --out out.safetensors"},
        [arguments](std::stop_token stop) { return run(*arguments, stop); });
    addOptions(command, *arguments);
    addSeeds(command, arguments->request.seeds);
    addDevice(command, arguments->device, {"auto", "float32", "float64", "bfloat16", "float16"});
    addSeed(command, arguments->device);
    addJson(command, arguments->output);
    addQuiet(command, arguments->output);
}

}  // namespace attnscope::cli

#include "app/cli/commands/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace attnscope::cli {

namespace {

struct ScaleArguments {
    ScaleRequest request;
    std::vector<std::string> attention;
    AroundAttention around;
    DeviceArguments device;
    OutputArguments output;
    std::string out;
    std::vector<int64_t> lengths;
    double memoryGib = 0, timeBudget = -1;  ///< −1: not given
};

/// Without arguments the result is there while somebody waits for it.
const std::vector<int64_t> defaultLengths{512, 1024, 2048, 4096};
constexpr double defaultSeconds = 30;

/// What all rows say is said once, the rest behind the row's name.
std::string scaleNotes(const ScaleReport& report)
{
    const auto isOfAll = [&](const std::string& note) {
        return std::ranges::all_of(report.rows, [&](const ScaleRow& row) {
            return std::ranges::find(row.notes, note) != row.notes.end();
        });
    };
    std::string text;
    for (const ScaleRow& row : report.rows)
        for (const std::string& note : row.notes)
            if (const bool ofAll = isOfAll(note); !ofAll || &row == &report.rows.front())
                text += "  " + (ofAll ? "" : row.attention + ": ") + note + "\n";
    return text;
}

std::string describe(const ScaleReport& report)
{
    std::string text = head(report);
    text += terminalTable(scalePoints(report), 2) + "\n" + terminalTable(scaleExponents(report), 2)
            + scaleNotes(report);
    if (report.request.totalBudgetSeconds > 0)
        text += fmt::format(
            "  Measured within {:g} s, with as many passes as that allows; --time-budget 0 removes the time "
            "limit.\n",
            report.request.totalBudgetSeconds);
    return text
           + "  ratio: relative to explicit softmax at the same length. Published: time and memory, LARA paper, "
             "table 6 (16 samples).\n";
}

/// One name, several figures: time, memory, and both over softmax.
void writeFigures(const std::string& out, const ScaleReport& report)
{
    const std::filesystem::path path = out;
    const auto write = [&](const char* what, ScaleMetric metric, ScaleValues values) {
        writeFigure(path.parent_path() / (path.stem().string() + what + path.extension().string()),
                    scaleChart(report, metric, values));
    };
    write("", ScaleMetric::Time, ScaleValues::Absolute);
    write("-attention", ScaleMetric::AttentionTime, ScaleValues::Absolute);
    write("-memory", ScaleMetric::Memory, ScaleValues::Absolute);
    write("-relative", ScaleMetric::Time, ScaleValues::OverSoftmax);
    write("-memory-relative", ScaleMetric::Memory, ScaleValues::OverSoftmax);
}

ExitCode run(ScaleArguments& arguments, std::stop_token stop)
{
    ScaleRequest& request = arguments.request;
    request.attention = parseSpecs(arguments.attention, arguments.around);
    request.seed = arguments.device.seed;
    request.dtype = arguments.device.dtype;
    request.device = chooseDevice(arguments.device);
    // Lengths that were asked for are measured, however long that takes.
    const bool isUsual = arguments.lengths.empty();
    request.lengths = isUsual ? defaultLengths : arguments.lengths;
    request.totalBudgetSeconds = arguments.timeBudget >= 0 ? arguments.timeBudget : isUsual ? defaultSeconds : 0;
    request.memoryBudgetBytes = int64_t(arguments.memoryGib * (int64_t{1} << 30));
    checkFigureName("--out", arguments.out);
    LabConsole console(arguments.output);
    const ScaleReport report = scale(request, {}, console.progress(), stop);
    console.print(describe(report), toJson(report), report.complete);
    if (!arguments.out.empty())
        writeFigures(arguments.out, report);
    return ExitCode::Done;
}

}

void addScaleCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<ScaleArguments>(
        "scale",
        "Measures time and memory vs. number of tokens, compared with explicit and fused softmax (as in table 6 "
        "of the LARA paper)",
        {"scale --attention lara:samples=16 --attention performer:samples=16 --lengths 1024,2048,4096,8192 --out "
         "scale.svg",
         "scale --attention nystrom:samples=16 --lengths 256,512,1024 --backward --json -"},
        run);
    addAttention(command, arguments.attention);
    addAroundAttention(command, arguments.around);
    ScaleRequest& r = arguments.request;
    addList(command, "--lengths", arguments.lengths,
            "Numbers of tokens in ascending order, separated by commas (default: 512,1024,2048,4096)");
    addInteger(command, "--layers", r.layers, "Encoder layers", 1, 1000);
    addInteger(command, "--dim", r.width, "Embedding dimension of the encoder", 1, 65536);
    addInteger(command, "--heads", r.heads, "Attention heads", 1, 4096);
    command.add_flag("--backward", r.backward,
                     "Measure a forward and backward pass, with activations kept for it");
    addInteger(command, "--repetitions", r.minimumRepetitions,
               "Minimum number of timed passes per attention and length", 1, 1000000);
    addReal(command, "--seconds", r.minimumSeconds, "Minimum time to spend on each", 0.0, 3600.0);
    addReal(command, "--pass-budget", r.passBudgetSeconds,
            "Stop an attention whose single pass would take longer than this, in seconds", 0.001, 1e6);
    addReal(command, "--point-budget", r.pointBudgetSeconds,
            "End repetitions after this many seconds, but not before three of them", 0.0, 1e6);
    addOptionalReal(command, "--time-budget", arguments.timeBudget,
                    "End after about this many seconds by using fewer repetitions and skipping lengths that would "
                    "take longer; 0: no "
                    "limit (default: 30, or no limit if --lengths is given)",
                    0, 1e6, "S");
    addReal(command, "--memory-budget", arguments.memoryGib,
            "Stop an attention that needs more than this many GiB of tensor memory; "
            "0: the free memory",
            0.0, 1e6);
    addText(command, "--out", arguments.out,
            "Write figures (.svg) or their data (.csv): FILE, FILE-memory, FILE-relative, …");
    addDeviceAndOutput(command, arguments.device, arguments.output);
}

}

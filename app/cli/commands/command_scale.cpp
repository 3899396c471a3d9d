#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"
#include "core/lab/scale/scale_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace attnscope::cli {

namespace {

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

ExitCode run(ScaleOptions& options, std::stop_token stop)
{
    ScaleRequest& request = options.request;
    request.attention = parseSpecs(options.attention, options.around);
    request.seed = options.device.seed;
    request.dtype = options.device.dtype;
    request.device = chooseDevice(options.device);
    // Lengths that were asked for are measured, however long that takes.
    request.totalBudgetSeconds = options.timeBudget.value_or(request.lengths.empty() ? defaultSeconds : 0);
    if (request.lengths.empty())
        request.lengths = defaultLengths;
    request.memoryBudgetBytes = int64_t(options.memoryGib * (int64_t{1} << 30));
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    const ScaleReport report = scale(request, {}, console.progress(), stop);
    console.print(describe(report), toJson(report), report.complete);
    if (!options.out.empty())
        writeFigures(options.out, report);
    return ExitCode::Done;
}

}

void addScaleCommand(CommandList& commands)
{
    commands.add<ScaleOptions>(
        "scale",
        "Measures time and memory vs. number of tokens, compared with explicit and fused softmax (as in table 6 "
        "of the LARA paper)",
        {"scale --attention lara:samples=16 --attention performer:samples=16 --lengths 1024,2048,4096,8192 --out "
         "scale.svg",
         "scale --attention nystrom:samples=16 --lengths 256,512,1024 --backward --json -"},
        run);
}

}

#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json.h"
#include "core/base/json_path.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/lab/attend/attend.h"
#include "core/run/measures.h"
#include "core/run/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace attnscope::cli {

namespace {

/// All of it is attention's.
Json latencyJson(const Latency& latency)
{
    Json json = attnscope::toJson(latency);
    for (const char* key : {"attention_median", "attention_p05", "attention_p95"})
        json.erase(key);
    return json;
}

Json shapeOf(const AttendCase& one)
{
    Json shape{{"batch", one.batch}, {"heads", one.heads},          {"queries", one.queries}, {"keys", one.keys},
               {"width", one.width}, {"value_width", one.valueDim}, {"frames", one.frames}};
    shape["grid"] = one.grid ? Json{one.grid->rows, one.grid->columns} : Json(nullptr);
    return shape;
}

void addError(const AttendCase& one, Json& json)
{
    json.update(summaryJson(one.error));
    if (one.hasBaselines)
        addBaselines(one.error.meanOfValues, one.error.zeroMse, json);
    json["batch"] = jsonList(one.error.layers, [](const LayerError& element) {
        Json entry = attnscope::toJson(element.error);
        entry["heads"] = jsonList(element.heads, [](const ErrorValue& head) { return attnscope::toJson(head); });
        return entry;
    });
}

void addExpected(const AttendCase& one, Json& json)
{
    json["max_abs_diff"] = one.expected ? finiteOrNull(one.expected->maximumDifference) : Json(nullptr);
    json["tolerance"] = one.expected ? finiteOrNull(one.expected->tolerance) : Json(nullptr);
    json["within_tolerance"] = one.expected ? Json(one.expected->within()) : Json(nullptr);
}

void addCost(const AttendCase& one, Json& json)
{
    if (one.latency) {
        json["latency_ms"] = latencyJson(*one.latency);
        json["softmax_latency_ms"] = latencyJson(*one.softmaxLatency);
    }
    json["memory_bytes"] = {{"peak", one.peakBytes}, {"softmax_peak", one.softmaxPeakBytes}};
    json["macs"] = finiteOrNull(one.macs);
    json["softmax_macs"] = finiteOrNull(one.softmaxMacs);
    if (one.sparseRows > 0)
        json["sparse"] = {
            {"queries", one.sparseRows}, {"pairs", one.allowedPairs}, {"queries_without_keys", one.emptyRows}};
}

Json toJson(const AttendCase& one)
{
    Json json{{"name", printable(one.name)}, {"attention", one.attention}};
    json["available"] = one.unavailable.empty();
    if (!one.unavailable.empty()) {
        json["reason"] = one.unavailable;
        return json;
    }
    addError(one, json);
    addExpected(one, json);
    addCost(one, json);
    json["shape"] = shapeOf(one);
    json["notes"] = one.notes;
    return json;
}

std::vector<Cell> row(const AttendCase& one)
{
    if (!one.unavailable.empty())
        return {{printable(one.name)}, {"not available: " + one.attention}};
    const auto time = [](const std::optional<Latency>& latency) {
        return latency ? millisecondsCell(modelTime(*latency)) : Cell();
    };
    std::vector<Cell> cells{{printable(one.name)},
                            {one.attention},
                            errorCell(one.error.error.mse, one.error.error.mseStddev),
                            errorCell(one.error.error.relative, one.error.error.relativeStddev),
                            time(one.latency),
                            time(one.softmaxLatency),
                            bytesCell(one.peakBytes),
                            {formatQuantity(one.macs).text()}};
    if (one.expected)
        cells.insert(cells.end(), {errorCell(one.expected->maximumDifference), errorCell(one.expected->tolerance),
                                   Cell{one.expected->within() ? "yes" : "no"}});
    return cells;
}

std::string describe(const AttendReport& report)
{
    Table table = tableOf({"case", "attention", ">MSE", ">relative", ">time", ">softmax's", ">memory",
                           ">multiply-adds", ">largest difference from file", ">tolerance", "within"});
    std::string notes;
    for (const AttendCase& one : report.cases) {
        table.add(row(one));
        for (const std::string& note : one.notes)
            notes += "  " + printable(one.name) + ": " + note + "\n";
    }
    return emphasised(printable(report.file))
           + fmt::format("  ({}, {}, seed {})\n", report.device, report.dtype, report.seed)
           + terminalTable(table, 2) + notes;
}

/// The JSON of `attend` (docs/cli.md). Numbers that are not finite become null.
Json toJson(const AttendReport& report)
{
    Json json{{"file", jsonPath(report.file)},
              {"device", report.device},
              {"dtype", report.dtype},
              {"seed", report.seed}};
    json["cases"] = jsonList(report.cases, [](const AttendCase& one) { return toJson(one); });
    return json;
}

struct AttendArguments {
    AttendRequest request;
    std::string grid;
    std::vector<std::string> attention;
    DeviceOptions device{.dtype = "auto"};
    OutputOptions output;
    bool withoutLatency = false, check = false;
};

void visitOptions(AttendArguments& arguments, auto& visit)
{
    AttendRequest& request = arguments.request;
    visit("QKV", request.file, requiredText(""),
          "Safetensors file with q, k, v (batch, heads, tokens, channels), or x with qkv and proj weights");
    visitAttention(arguments.attention, visit);
    visit("--out", request.out, anyText(), "Write the output tensors to this safetensors file");
    visit("--grid", arguments.grid, anyText("HxW"), "Token grid as ROWSxCOLUMNS (14x14)");
    visit("--frames", request.frames, within(0, 65536),
          "Attend to the keys of each of N frames separately; 0: as the file's header says");
    visit("--tau", request.temperature, within(1e-6, 1e6),
          "Multiply the logits by X: q and k are each multiplied by its square root");
    visit("--noise", request.noise, oneOf({"file", "drawn"}, "FROM"),
          "Use the noise tensors in the file (file) or draw them from the seed (drawn)");
    visit("--repetitions", request.minimumRepetitions, within(1, 1000000),
          "Minimum number of timed calls per attention");
    visit("--seconds", request.minimumSeconds, within(0, 3600, "S"),
          "Minimum time to spend on timing each attention");
    visit("--no-latency", arguments.withoutLatency, "Skip timing");
    visit("--check", arguments.check,
          "Exit code 1 when the result differs from the file's own `out` by more than its tolerance");
    visitSeeds(request.seeds, visit);
    visitDeviceAndOutput(arguments, visit, {"auto", "float32", "float64", "bfloat16", "float16"});
}

TokenGrid parseGrid(const std::string& text)
{
    const auto good = [](int64_t side) { return side > 0 && side <= 65536; };
    const auto sides = parsePair<int64_t>(text, "x");
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
    LabConsole console(arguments.output);
    if (!arguments.grid.empty())
        request.grid = parseGrid(arguments.grid);
    request.seed = arguments.device.seed;
    request.dtype = arguments.device.dtype;
    request.latency = !arguments.withoutLatency;
    request.device = chooseDevice(arguments.device);
    const AttendReport report = attend(request, console.progress(), stop);
    console.print(describe(report), toJson(report));
    const bool none = std::ranges::all_of(report.cases,
                                          [](const AttendCase& c) { return !c.unavailable.empty(); });
    if (none)
        throw Unsupported(report.file, report.cases.front().unavailable);
    if (!arguments.check || allWithinTolerance(report))
        return ExitCode::Done;
    writeMessage(printable(report.file)
                 + ": the result differs from the file's own output by more than its tolerance, or the file has "
                   "no output.");
    return ExitCode::Failed;
}

}

void addAttendCommand(CommandList& commands)
{
    commands.add<AttendArguments>(
        "attend",
        "Runs one attention on dumped q, k, v: error compared with softmax, cost, difference from a reference",
        {"attend golden.safetensors --check",
         "attend qkv.safetensors --attention lara:samples=49 --grid 14x14 --seeds 10 --out out.safetensors"},
        run);
}

}

#include "app/cli/commands/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/decode/decode_output.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace attnscope::cli {

namespace {

struct DecodeArguments {
    DecodeRequest request;
    std::vector<std::string> mechanisms;
    DeviceArguments device;
    OutputArguments output;
    std::string file, tokens = "normal", out;
    double memoryGib = 0;
};

/// Without a sign where it rounds to zero.
std::string exponent(const std::optional<double>& value)
{
    return value ? fmt::format("{:.2f}", std::abs(*value) < 0.005 ? 0.0 : *value) : "";
}

std::string fromToken(const std::optional<double>& value)
{
    return value ? "from " + formatCount(std::int64_t(*value)) : "none";
}

std::string pointTable(const DecodeReport& report)
{
    Table table({"mechanism", ">position", ">time of a token", ">5 %", ">95 %", ">mean", ">state",
                 ">multiply-adds", ">relative error", ">n"});
    for (std::size_t i = 0; i < report.request.positions.size(); ++i)
        for (const DecodeRow& row : report.rows) {
            const DecodePoint& point = row.points[i];
            table.add({row.mechanism, formatCount(point.position),
                       formatMilliseconds(point.latency.medianMs).text(),
                       formatMilliseconds(point.latency.p05Ms).text(),
                       formatMilliseconds(point.latency.p95Ms).text(), formatMilliseconds(point.meanMs).text(),
                       formatBytes(point.stateBytes).text(), formatQuantity(double(point.multiplyAdds)).text(),
                       formatError(point.relative), std::to_string(point.latency.repetitions)});
        }
    return table.text(2);
}

std::string rowTable(const DecodeReport& report)
{
    Table table({"mechanism", ">time ~ position^", ">state ~ position^", "faster than cache", "smaller",
                 "fewer multiply-adds", ">parallel form differs by", ">half-life", ">loss of a compression"});
    for (const DecodeRow& row : report.rows) {
        double loss = 0;
        for (const double one : row.losses)
            loss += one / double(row.losses.size());
        const bool isCache = row.name == "cache";
        table.add({row.mechanism, exponent(row.timeExponent), exponent(row.stateExponent),
                   isCache ? "" : fromToken(row.breakEvenTime), isCache ? "" : fromToken(row.breakEvenState),
                   isCache ? "" : fromToken(row.breakEvenWork), formatError(row.parallel.maximumDifference),
                   row.halfLife ? fmt::format("{:.1f} tokens", *row.halfLife) : "",
                   row.losses.empty() ? "" : formatError(loss)});
    }
    return table.text(2);
}

/// Lags as columns: a weight, and for a gated state what is left of it.
std::string impulseTable(const DecodeReport& report)
{
    std::vector<std::string> titles{"weight of a token, after"};
    for (const ImpulsePoint& point : report.rows.front().impulse)
        titles.push_back(">" + formatCount(point.lag));
    Table table(titles);
    for (const DecodeRow& row : report.rows) {
        std::vector<std::string> weights{row.mechanism}, states{row.mechanism + ", state"};
        for (const ImpulsePoint& point : row.impulse) {
            weights.push_back(formatError(point.weight));
            states.push_back(point.state ? formatError(*point.state) : "");
        }
        table.add(weights);
        if (row.halfLife)
            table.add(states);
    }
    return table.text(2);
}

std::string describe(const DecodeReport& report)
{
    const DecodeRequest& r = report.request;
    const std::string source = r.file.empty() ? std::string(toText(r.tokens)) + " tokens"
                                              : printable(r.file.string()) + ", layer " + std::to_string(r.layer);
    std::string text = fmt::format("{}  {}, {}, {}, batch size 1, {}, one thread; {}\n",
                                   emphasised("causal streams"), source, counted(report.heads, "head"),
                                   counted(report.widths.width, "channel"), r.dtype, report.device.description);
    text += pointTable(report) + "\n" + rowTable(report);
    if (!report.rows.front().impulse.empty())
        text += "\n" + impulseTable(report);
    struct Notes {
        std::string attention;
        std::vector<std::string> notes;
    };
    std::vector<Notes> notes;
    for (const DecodeRow& row : report.rows)
        notes.push_back({row.mechanism, row.notes});
    for (const std::string& note : notesOnce(notes))
        text += "  " + note + "\n";
    return text
           + fmt::format("  Errors: of the timed tokens, from softmax over the tokens so far. Parallel form: over "
                         "the first {}.\n",
                         counted(report.rows.front().parallel.tokens, "token"));
}

void writeFigures(const std::string& out, const DecodeReport& report)
{
    const std::filesystem::path path = out;
    const auto write = [&](const char* what, const Chart& chart) {
        writeFigure(path.parent_path() / (path.stem().string() + what + path.extension().string()), chart);
    };
    write("", decodeChart(report, DecodeMetric::Time));
    write("-state", decodeChart(report, DecodeMetric::State));
    write("-error", decodeChart(report, DecodeMetric::Error));
    write("-impulse", impulseChart(report));
}

TokenKind tokenKind(const std::string& name)
{
    for (const TokenKind kind : {TokenKind::Smooth, TokenKind::Recall})
        if (name == toText(kind))
            return kind;
    return TokenKind::Normal;
}

ExitCode run(DecodeArguments& arguments, std::stop_token stop)
{
    DecodeRequest& request = arguments.request;
    for (const std::string& text : arguments.mechanisms)
        request.mechanisms.push_back(StreamSpec::parse(text));
    if (request.mechanisms.empty())
        request.mechanisms = usualMechanisms();
    request.tokens = tokenKind(arguments.tokens);
    request.file = arguments.file;
    request.seed = arguments.device.seed;
    request.dtype = arguments.device.dtype;
    request.memoryBudgetBytes = std::int64_t(arguments.memoryGib * (std::int64_t{1} << 30));
    if (arguments.device.device != "auto" && arguments.device.device != "cpu")
        throw UsageError("--device", "streams run on the CPU", "choose cpu, or leave the option out");
    arguments.device.device = "cpu";
    chooseDevice(arguments.device);
    checkFigureName("--out", arguments.out);
    LabConsole console(arguments.output);
    const DecodeReport report = decode(request, console.progress(), stop);
    console.print(describe(report), toJson(report), report.complete);
    if (!arguments.out.empty())
        writeFigures(arguments.out, report);
    return ExitCode::Done;
}

}

void addDecodeCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<DecodeArguments>(
        "decode",
        "Measures causal attention token by token: time, state and error against the position, compared with "
        "softmax and a cache",
        {"decode --mechanism rfa:gate=0.99 --mechanism performer --positions 1024,4096,16384,65536 --out "
         "decode.svg",
         "decode qkv.safetensors --layer 3 --json -"},
        run);
    DecodeRequest& r = arguments.request;
    CLI::Option* file = command.add_option(
        "QKV", arguments.file,
        "Safetensors file with q, k, v (layers, heads, tokens, channels); without it, tokens are made");
    std::string names;
    for (const StreamInfo& info : streamInfos())
        names += (names.empty() ? "" : ", ") + info.name;
    addRepeated(command, "--mechanism", arguments.mechanisms,
                "A mechanism, name[:key=value,…], of " + names + " (default: each of them)", "MECHANISM");
    addList(command, "--positions", r.positions,
            "Positions in ascending order, separated by commas (default: 1024,4096,16384,65536, or what the file "
            "has)");
    addInteger(command, "--layer", r.layer, "Layer of the file", 0, 65535)->needs(file);
    CLI::Option* tokens = addChoice(
        command, "--tokens", arguments.tokens,
        "Made tokens: independent normal numbers, neighbours alike, or queries for what came 128 tokens ago",
        {"normal", "smooth", "recall"}, "KIND");
    CLI::Option* heads = addInteger(command, "--heads", r.heads, "Heads of made tokens", 1, 4096);
    CLI::Option* width = addInteger(command, "--head-size", r.width, "Channels of a head of made tokens", 1, 4096);
    for (CLI::Option* option : {tokens, heads, width})
        option->excludes(file);
    addReal(command, "--tau", r.temperature,
            "Multiply the logits by X: q and k are each multiplied by its square root", 1e-6, 1e6);
    addInteger(command, "--repetitions", r.minimumRepetitions, "Minimum number of timed tokens at each position",
               1, 65536);
    addReal(command, "--memory-budget", arguments.memoryGib,
            "Refuse what needs more than this many GiB of state; 0: the free memory", 0.0, 1e6);
    addText(command, "--out", arguments.out,
            "Write figures (.svg) or their data (.csv): FILE, FILE-state, FILE-error, FILE-impulse");
    addDeviceAndOutput(command, arguments.device, arguments.output, {"float32", "float64"});
}

}

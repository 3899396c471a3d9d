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

std::string describe(const DecodeReport& report)
{
    std::string text = head(report);
    text += terminalTable(decodePoints(report), 2) + "\n" + terminalTable(decodeSummary(report), 2);
    if (!report.rows.front().impulse.empty())
        text += "\n" + terminalTable(decodeImpulses(report), 2);
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
        request.mechanisms = defaultMechanisms();
    request.tokens = tokenKind(arguments.tokens);
    request.file = arguments.file;
    request.seed = arguments.device.seed;
    request.dtype = arguments.device.dtype;
    request.memoryBudgetBytes = int64_t(arguments.memoryGib * (int64_t{1} << 30));
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

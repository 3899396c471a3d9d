#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/decode/decode_options.h"
#include "core/lab/decode/decode_output.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace attnscope::cli {

namespace {

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

ExitCode run(DecodeOptions& options, std::stop_token stop)
{
    DecodeRequest& request = options.request;
    for (const std::string& text : options.mechanisms)
        request.mechanisms.push_back(StreamSpec::parse(text));
    if (request.mechanisms.empty())
        request.mechanisms = defaultMechanisms();
    request.seed = options.device.seed;
    request.dtype = options.device.dtype;
    request.memoryBudgetBytes = int64_t(options.memoryGib * (int64_t{1} << 30));
    if (options.device.device != "auto" && options.device.device != "cpu")
        throw UsageError("--device", "streams run on the CPU", "choose cpu, or leave the option out");
    options.device.device = "cpu";
    chooseDevice(options.device);
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    const DecodeReport report = decode(request, console.progress(), stop);
    console.print(describe(report), toJson(report), report.complete);
    if (!options.out.empty())
        writeFigures(options.out, report);
    return ExitCode::Done;
}

}

void addDecodeCommand(CommandList& commands)
{
    const auto [command, options] = commands.add<DecodeOptions>(
        "decode",
        "Measures causal attention token by token: time, state and error against the position, compared with "
        "softmax and a cache",
        {"decode --mechanism rfa:gate=0.99 --mechanism performer --positions 1024,4096,16384,65536 --out "
         "decode.svg",
         "decode qkv.safetensors --layer 3 --json -"},
        run);
    CLI::Option* file = command.get_option("QKV");
    command.get_option("--layer")->needs(file);
    for (const char* made : {"--tokens", "--heads", "--head-size"})
        command.get_option(made)->excludes(file);
}

}

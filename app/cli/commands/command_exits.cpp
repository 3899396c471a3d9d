#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/exits/exit_figures.h"
#include "models/lab_options.h"
#include "models/labelled_samples.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

std::string describe(const ExitReport& report)
{
    std::string text = head(report);
    text += emphasised("fixed depth") + "  every sample runs as many blocks\n"
            + terminalTable(exitTable(report, &AttentionExits::depth), 2);
    text += emphasised("confidence")
            + "  a sample leaves behind the first block whose largest probability exceeds the threshold\n"
            + terminalTable(exitTable(report, &AttentionExits::confidence), 2);
    text += emphasised("correctness oracle") + "  knows the label: bounds what a rule without it can do\n"
            + terminalTable(exitTable(report, &AttentionExits::correctness), 2);
    text += emphasised("likelihood oracle") + "  the same by the label's log-probability\n"
            + terminalTable(exitTable(report, &AttentionExits::likelihood), 2);
    for (const std::string& note : notesOnce(report.attention))
        text += "  " + note + "\n";
    for (const std::string& note : report.notes)
        text += "  " + note + "\n";
    return text;
}

void writeFigures(const std::string& out, const ExitReport& report)
{
    const std::filesystem::path path = out;
    const auto nextToIt = [&](const char* what) {
        return path.parent_path() / (path.stem().string() + what + path.extension().string());
    };
    writeFigure(path, exitChart(report));
    writeFigure(nextToIt("-oracle"), oracleChart(report));
    writeFigure(nextToIt("-blocks"), exitMap(report));
}

ExitCode run(ExitsOptions& options, std::stop_token stop)
{
    checkFigureName("--out", options.out);
    options.request.attention = parseSpecs(options.attention.empty() ? std::vector<std::string>{"native"}
                                                                     : options.attention);
    options.request.seed = options.device.seed;
    LabConsole console(options.output);
    const std::string device = chooseDevice(options.device);
    const auto classifier = openModel(
        modelRequest(options.model, options.device, device, options.labelled.limits));
    const ExitReport report = measureExits(*classifier, options.labelled, options.request, console.progress(),
                                           stop);
    const ExitCode code = console.print(describe(report), toJson(report), report.complete, report.unreadable);
    if (!options.out.empty())
        writeFigures(options.out, report);
    return code;
}

}

void addExitsCommand(CommandList& commands)
{
    commands.add<ExitsOptions>(
        "exits",
        "Measures the accuracy of leaving a network early: behind each block, under a confidence threshold, and "
        "at best",
        {"exits imagenet/val --weights deit_tiny.safetensors --out exits.svg",
         "exits imagenet/val --weights deit_exits.safetensors --attention softmax --attention lara:samples=49 "
         "--thresholds 0.5,0.8,0.9,0.95",
         "train imagenet --exits --init deit_tiny.safetensors --out deit_exits.safetensors --epochs 5 --warmup 1"},
        run);
}

}

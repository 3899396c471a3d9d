#include "app/cli/commands/lab_command.h"
#include "app/cli/input/declare_options.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/exits/exit_figures.h"
#include "models/labelled_samples.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

struct ExitsArguments {
    LabelledRequest labelled;
    ModelRequest model;
    DeviceArguments device;
    OutputArguments output;
    std::vector<std::string> attention;
    ExitRequest request;
    std::string out;
};

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

ExitCode run(ExitsArguments& arguments, std::stop_token stop)
{
    checkFigureName("--out", arguments.out);
    arguments.request.attention = parseSpecs(arguments.attention.empty() ? std::vector<std::string>{"native"}
                                                                         : arguments.attention);
    arguments.request.seed = arguments.device.seed;
    LabConsole console(arguments.output);
    const std::string device = chooseDevice(arguments.device);
    const auto classifier = openModel(
        modelRequest(arguments.model, arguments.device, device, arguments.labelled.limits));
    const ExitReport report = measureExits(*classifier, arguments.labelled, arguments.request, console.progress(),
                                           stop);
    const ExitCode code = console.print(describe(report), toJson(report), report.complete, report.unreadable);
    if (!arguments.out.empty())
        writeFigures(arguments.out, report);
    return code;
}

}

void addExitsCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<ExitsArguments>(
        "exits",
        "Measures the accuracy of leaving a network early: behind each block, under a confidence threshold, and "
        "at best",
        {"exits imagenet/val --weights deit_tiny.safetensors --out exits.svg",
         "exits imagenet/val --weights deit_exits.safetensors --attention softmax --attention lara:samples=49 "
         "--thresholds 0.5,0.8,0.9,0.95",
         "train imagenet --exits --init deit_tiny.safetensors --out deit_exits.safetensors --epochs 5 --warmup 1"},
        run);
    command.add_option("FOLDER", arguments.labelled.folder, "A labelled folder or list, as for `evaluate`")
        ->required();
    addChoice(command, "--layout", arguments.labelled.layout, "Layout of the folder",
              {"auto", "imagenet", "kinetics", "list"});
    addInteger(command, "--limit", arguments.labelled.limit, "Number of samples, spread evenly; 0: all", 0,
               int64_t{1} << 40);
    declareOptions(command, arguments.model);
    addAttention(command, arguments.attention);
    addList(command, "--thresholds", arguments.request.thresholds,
            "Confidences, 0 to 1, above which a sample leaves (default: 0, 0.05 to 1)", "X,X,…");
    addList(command, "--penalties", arguments.request.penalties,
            "What a block costs the oracles (default: 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5 and 1)", "X,X,…");
    addInteger(command, "--batch-size", arguments.labelled.batch, "Samples per batch; 0: 32 images or 1 video", 0,
               65536, "B");
    addInteger(command, "--workers", arguments.labelled.workers,
               "Threads that read and preprocess; 0: as many as --threads, or one per core with a GPU", 0, 1024);
    addText(command, "--out", arguments.out,
            "Write figures (.svg) or their data (.csv): FILE, FILE-oracle, and FILE-blocks, where samples leave");
    addDeviceAndOutput(command, arguments.device, arguments.output);
}

}

#include "app/cli/commands/command.h"
#include "app/cli/input/declare_options.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "models/export/export_network.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

struct ExportArguments {
    ExportRequest request;
    DeviceArguments device;
    OutputArguments output;
};

std::string describe(const ExportReport& report)
{
    std::string text = emphasised(printable(report.output)) + "  " + report.model + " with " + report.attention
                       + "\n";
    text += fmt::format("  image (batch, {}) → {} (batch, {}), {} operators of ONNX opset {}, {} written\n",
                        joinedSizes(report.input), report.outputName, report.outputs, report.operators,
                        onnx::Model::opset, formatBytes(report.bytes).text());
    if (!report.external.empty())
        text += "  its weights are in " + printable(report.external) + ", which belongs next to it\n";
    for (const std::string& note : report.notes)
        text += "  " + note + "\n";
    return text;
}

ExitCode run(ExportArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    (void)chooseDevice(arguments.device);
    arguments.request.seed = arguments.device.seed;
    const ExportReport report = exportNetwork(arguments.request);
    target.print(describe(report), toJson(report));
    return ExitCode::Done;
}

}

void addExportCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<ExportArguments>(
        "export", "Writes an image network with one attention, or a plan, as ONNX for other programs",
        {"export --weights deit_tiny.safetensors --attention lara --out deit_tiny_lara.onnx",
         "export --weights dinov2.safetensors --attention \"0-3=softmax;4-11=monarch\" --image-size 518 --out "
         "plan.onnx"},
        run);
    ExportRequest& request = arguments.request;
    declareOptions(command, request.model);
    addText(command, "--attention", request.attention,
            "The attention of the exported network, or one for each range of layers", "SPEC")
        ->capture_default_str();
    addText(command, "--out", request.output, "The ONNX file to write")->required();
    command.add_flag("--overwrite", request.overwrite, "Replace the file if it exists");
    addInteger(command, "--threads", arguments.device.threads, "CPU threads; 0: one per core", 0, 4096);
    addInteger(command, "--seed", arguments.device.seed,
               "Seed of what Performer and RFA draw, which the file contains", 0, 9'007'199'254'740'992);
    addJson(command, arguments.output);
}

}

#include "app/cli/commands/command.h"
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
    DeviceOptions device;
    OutputOptions output;
};

void visitOptions(ExportArguments& arguments, auto& visit)
{
    ExportRequest& request = arguments.request;
    visitOptions(request.model, visit);
    visit("--attention", request.attention, OptionRule{.type = "SPEC"},
          "The attention of the exported network, or one for each range of layers");
    visit("--out", request.output, requiredText(), "The ONNX file to write");
    visit("--overwrite", request.overwrite, "Replace the file if it exists");
    visitThreads(arguments.device.threads, visit);
    visit("--seed", arguments.device.seed, within(0, largestSeed),
          "Seed of what Performer and RFA draw, which the file contains");
    visitJson(arguments.output, visit);
}

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
    commands.add<ExportArguments>(
        "export", "Writes an image network with one attention, or a plan, as ONNX for other programs",
        {"export --weights deit_tiny.safetensors --attention lara --out deit_tiny_lara.onnx",
         "export --weights dinov2.safetensors --attention \"0-3=softmax;4-11=monarch\" --image-size 518 --out "
         "plan.onnx"},
        run);
}

}

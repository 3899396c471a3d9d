#include "app/cli/commands/command.h"
#include "app/cli/input/labels.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "models/weights/convert.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

struct ConvertArguments {
    ConvertRequest request;
    std::string labels;
    OutputOptions output;
};

void visitOptions(ConvertArguments& arguments, auto& visit)
{
    ConvertRequest& request = arguments.request;
    visit("IN", request.model.weights, requiredText(""), "A checkpoint: safetensors or .pth");
    visit("OUT", request.output, requiredText(""), "The safetensors file to write");
    visit("--overwrite", request.overwrite, "Replace OUT if it exists");
    visit("--dtype", request.dtype, oneOf({"stored", "float32", "float16", "bfloat16"}), "Data type to write");
    visitCheckpointChoice(request.model, visit);
    visit("--labels", arguments.labels, anyText(), "Class names to put into the header: one per line, or JSON");
    visitJson(arguments.output, visit);
}

std::string describe(const ConvertReport& report)
{
    std::string text = emphasised(printable(report.output)) + "  " + oneLine(report.load) + "\n";
    for (const std::string& line : lines(report.load))
        text += "  " + line + "\n";
    text += fmt::format("  {} written; its header describes the model, so --model is not needed with it\n",
                        formatBytes(report.bytes).text());
    return text;
}

Json toJson(const ConvertReport& report)
{
    return {{"output", jsonPath(report.output)},
            {"bytes", report.bytes},
            {"tensors", report.tensors},
            {"model", report.model},
            {"load", attnscope::toJson(report.load)}};
}

ExitCode run(ConvertArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    if (!arguments.labels.empty())
        arguments.request.labels = [&](int64_t classes) { return readLabels(arguments.labels, classes, {}); };
    const ConvertReport report = convertCheckpoint(arguments.request);
    target.print(describe(report), toJson(report));
    return ExitCode::Done;
}

}

void addConvertCommand(CommandList& commands)
{
    commands.add<ConvertArguments>(
        "convert", "Converts any supported checkpoint to safetensors with the model description in its header",
        {"convert deit_tiny_patch16_224-a1311bcf.pth deit_tiny.safetensors",
         "convert checkpoint.pth averaged.safetensors --checkpoint-key model_ema --model model.json"},
        run);
}

}

#include "app/cli/commands/lab_command.h"
#include "app/cli/input/declare_options.h"
#include "app/cli/input/labels.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/neighbours/neighbours_figures.h"
#include "models/neighbour_searcher.h"

#include <fmt/format.h>

#include <utility>

namespace attnscope::cli {

namespace {

struct NeighboursArguments : LabArguments {
    std::string datastore, build, evaluate, labels, distance = "l2", spec = "native";
    LabelledRequest labelled;
    NeighbourRequest request;
    double temperature = 0;  ///< 0: the distance's usual one
};

std::string describe(const BuiltDatastore& built)
{
    return fmt::format("{}  {}, {}{}\n", emphasised("built"), formatCounted(built.entries, "entry", "entries"),
                       formatBytes(built.bytes).text(),
                       built.unreadable.empty() ? "" : fmt::format(", {} unreadable", built.unreadable.size()));
}

std::string describe(const ImageNeighbours& image)
{
    return emphasised(printable(image.path)) + "\n"
           + (image.leftOut > 0 ? "  this image is in the datastore, and is not its own neighbour\n" : "")
           + terminalTable(neighbourPredictions(image), 2) + "\n" + terminalTable(nearestNeighbours(image), 2);
}

std::string describe(const NeighbourReport& report)
{
    std::string text;
    if (report.built)
        text += describe(*report.built);
    text += head(report);
    if (report.accuracy)
        text += terminalTable(neighbourAccuracies(*report.accuracy), 2);
    for (const ImageNeighbours& image : report.images)
        text += describe(image);
    return text;
}

void check(const NeighboursArguments& arguments)
{
    if (arguments.build.empty() && arguments.evaluate.empty() && arguments.inputs.paths.empty())
        throw UsageError("neighbours", "there is nothing to do",
                         "give --build FOLDER, --evaluate FOLDER, or images whose neighbours are shown");
    if (!arguments.out.empty() && arguments.evaluate.empty())
        throw UsageError("--out", "its figure shows accuracy", "give --evaluate FOLDER as well");
    checkFigureName("--out", arguments.out);
    if (!arguments.build.empty())
        requireWritable(arguments.datastore);
}

/// What could not be read, wherever.
std::vector<UnreadableInput> unreadableOf(const NeighbourReport& report)
{
    std::vector<UnreadableInput> all = report.unreadable;
    if (report.built)
        all.insert(all.end(), report.built->unreadable.begin(), report.built->unreadable.end());
    if (report.accuracy)
        all.insert(all.end(), report.accuracy->unreadable.begin(), report.accuracy->unreadable.end());
    return all;
}

ExitCode run(NeighboursArguments& arguments, std::stop_token stop)
{
    check(arguments);
    arguments.request.distance = parseFeatureDistance(arguments.distance);
    if (arguments.temperature > 0)
        arguments.request.temperature = arguments.temperature;
    const AttentionSpec attention = parseSpecs({arguments.spec}).front();
    LabConsole console(arguments.output);
    const LabModel lab = openLab(arguments, stop);
    const ModelRequest model = modelRequest(arguments.model, arguments.device, chooseDevice(arguments.device),
                                            arguments.inputs.limits);
    if (!arguments.labels.empty())
        arguments.labelled.labels = readLabels(arguments.labels, lab.summary.classes, arguments.inputs.limits,
                                               Synsets::Kept);
    NeighbourSearcher search(lab.classifier, model, attention, arguments.device.seed);
    arguments.labelled.limits = arguments.inputs.limits;
    const NeighbourReport report = search.run({.datastore = arguments.datastore,
                                               .build = arguments.build,
                                               .evaluate = arguments.evaluate,
                                               .labelled = arguments.labelled,
                                               .images = lab.inputs,
                                               .request = arguments.request},
                                              {.progress = console.progress(), .stop = stop});
    const ExitCode code = console.print(describe(report), toJson(report), report.complete, unreadableOf(report));
    if (!arguments.out.empty())
        writeFigure(arguments.out, mixChart(*report.accuracy));
    return code;
}

}

void addNeighboursCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<NeighboursArguments>(
        "neighbours", "Finds the images of a labelled folder with the nearest features, and classifies with them",
        {"neighbours --build imagenet/train --datastore features.safetensors --weights deit_tiny.safetensors",
         "neighbours --evaluate imagenet/val --datastore features.safetensors --weights deit_tiny.safetensors --k "
         "1,10,100 "
         "--out accuracy.svg",
         "neighbours cat.jpg --datastore features.safetensors --weights deit_tiny.safetensors --k 10 --distance "
         "cosine"},
        run);
    addInputs(command, arguments.inputs);
    command.get_option("INPUT")->required(false)->description("Images whose neighbours are shown");
    addVideo(command, arguments.inputs.video, arguments.defaultViews);
    declareOptions(command, arguments.model);
    addText(command, "--datastore", arguments.datastore,
            "The datastore of features (safetensors): written with --build, else read")
        ->required();
    addText(command, "--build", arguments.build,
            "Build the datastore of the features of this labelled folder or list", "FOLDER");
    addText(command, "--evaluate", arguments.evaluate,
            "Measure the accuracy on this labelled folder or list against k and mix", "FOLDER");
    addChoice(command, "--layout", arguments.labelled.layout, "Layout of these folders",
              {"auto", "imagenet", "kinetics", "list"});
    addText(command, "--labels", arguments.labels,
            "Class names of the model: one per line, or a JSON list or object");
    addInteger(command, "--limit", arguments.labelled.limit,
               "Number of samples of a folder, spread evenly; 0: all", 0, int64_t{1} << 40);
    addText(command, "--attention", arguments.spec,
            "The attention with which features are computed (default: the model's own)", "SPEC");
    addList(command, "--k", arguments.request.k,
            "Numbers of neighbours; images show the first (default: 20, and several for --evaluate)");
    addList(command, "--mix", arguments.request.mix,
            "Weights of the neighbours against the model, 0 to 1; images show the first (default: 0.25, and 0 to "
            "1 for --evaluate)",
            "X,X,…");
    addChoice(command, "--distance", arguments.distance, "Distance between features",
              {"l2", "l2-squared", "cosine"});
    addOptionalReal(command, "--temperature", arguments.temperature,
                    "Neighbours weigh exp(−distance/temperature) (default: 0.07 for cosine, else 1)", 1e-9, 1e9);
    addInteger(command, "--batch-size", arguments.labelled.batch, "Samples per batch; 0: 32 images or 1 video", 0,
               65536, "B");
    addInteger(command, "--workers", arguments.labelled.workers,
               "Threads that read and preprocess; 0: as many as --threads, or one per core with a GPU", 0, 1024);
    addText(command, "--out", arguments.out,
            "Write accuracy against the mix as a figure (.svg) or its data (.csv)");
    addDeviceAndOutput(command, arguments.device, arguments.output);
}

}

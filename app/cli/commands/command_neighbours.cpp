#include "app/cli/commands/laboratory/lab_command.h"
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

void check(const NeighboursOptions& options)
{
    if (options.build.empty() && options.evaluate.empty() && options.inputs.paths.empty())
        throw UsageError("neighbours", "there is nothing to do",
                         "give --build FOLDER, --evaluate FOLDER, or images whose neighbours are shown");
    if (!options.out.empty() && options.evaluate.empty())
        throw UsageError("--out", "its figure shows accuracy", "give --evaluate FOLDER as well");
    checkFigureName("--out", options.out);
    if (!options.build.empty())
        requireWritable(options.datastore);
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

ExitCode run(NeighboursOptions& options, std::stop_token stop)
{
    check(options);
    const AttentionSpec attention = parseSpecs({options.spec}).front();
    LabConsole console(options.output);
    const LabModel lab = openLab(options, stop);
    const ModelRequest model = modelRequest(options.model, options.device, chooseDevice(options.device),
                                            options.inputs.limits);
    if (!options.labels.empty())
        options.labelled.labels = readLabels(options.labels, lab.summary.classes, options.inputs.limits,
                                             Synsets::Kept);
    NeighbourSearcher search(lab.classifier, model, attention, options.device.seed);
    options.labelled.limits = options.inputs.limits;
    const NeighbourReport report = search.run({.datastore = options.datastore,
                                               .build = options.build,
                                               .evaluate = options.evaluate,
                                               .labelled = options.labelled,
                                               .images = lab.inputs,
                                               .request = options.request},
                                              {.progress = console.progress(), .stop = stop});
    const ExitCode code = console.print(describe(report), toJson(report), report.complete, unreadableOf(report));
    if (!options.out.empty())
        writeFigure(options.out, mixChart(*report.accuracy));
    return code;
}

}

void addNeighboursCommand(CommandList& commands)
{
    const auto [command, options] = commands.add<NeighboursOptions>(
        "neighbours", "Finds the images of a labelled folder with the nearest features, and classifies with them",
        {"neighbours --build imagenet/train --datastore features.safetensors --weights deit_tiny.safetensors",
         "neighbours --evaluate imagenet/val --datastore features.safetensors --weights deit_tiny.safetensors --k "
         "1,10,100 "
         "--out accuracy.svg",
         "neighbours cat.jpg --datastore features.safetensors --weights deit_tiny.safetensors --k 10 --distance "
         "cosine"},
        run);
    command.get_option("INPUT")->required(false)->description("Images whose neighbours are shown");
}

}

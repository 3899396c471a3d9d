// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "models/motionformer/motionformer_models.h"
#include "models/open_model.h"

#include <optional>

namespace attnscope::cli {

namespace {

/// Multiply-adds as the authors' code computes the model; empty where ours computes the same.
std::optional<double> publishedMacs(const std::string& name)
{
    for (const NamedMotionformer& model : namedMotionformers())
        if (model.description.name == name && model.description.spaceTime == SpaceTime::Trajectory)
            return model.description.multiplyAdds(Counting::Published);
    return std::nullopt;
}

Json toJson(const CatalogueEntry& entry)
{
    Json json{{"name", entry.name},
            {"family", entry.family},
            {"title", entry.title},
            {"parameters", entry.parameters},
            {"macs", entry.macs},
            {"input", entry.input},
            {"attention", entry.nativeAttention},
            {"note", entry.note}};
    if (const auto macs = publishedMacs(entry.name))
        json["macs_published"] = *macs;
    return json;
}

std::string table()
{
    Table table({{"model"},
                 {"parameters", Align::Right},
                 {"multiply-adds", Align::Right},
                 {"as published", Align::Right},
                 {"input"},
                 {"native attention"},
                 {"note"}});
    for (const CatalogueEntry& entry : catalogue())
        table.add({entry.name, formatQuantity(static_cast<double>(entry.parameters)).text(), formatQuantity(entry.macs).text(),
                   publishedMacs(entry.name) ? formatQuantity(*publishedMacs(entry.name)).text() : "", joinedSizes(entry.input), entry.nativeAttention, entry.note});
    return table.text();
}

ExitCode listModels(const OutputArguments& output)
{
    const JsonTarget target(output.json);
    Json json{{"models", Json::array()}};
    for (const CatalogueEntry& entry : catalogue())
        json["models"].push_back(toJson(entry));
    target.print(table(), json);
    return ExitCode::Done;
}

}  // namespace

void addModelsCommand(CommandList& commands)
{
    const auto output = std::make_shared<OutputArguments>();
    CLI::App& command = commands.add(
        "models", "Lists the available models with parameters and multiply-adds (called \"FLOPs\" in the papers)",
        {"models", "models --json -"}, [output](std::stop_token) { return listModels(*output); });
    addJson(command, *output);
}

}  // namespace attnscope::cli

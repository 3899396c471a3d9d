// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "models/motionformer/motionformer_models.h"
#include "models/open_model.h"

#include <array>
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
    Table table({"model", ">parameters", ">multiply-adds", ">as published", "input", "native attention", "note"});
    for (const CatalogueEntry& entry : catalogue())
        table.add({entry.name, formatQuantity(static_cast<double>(entry.parameters)).text(), formatQuantity(entry.macs).text(),
                   publishedMacs(entry.name) ? formatQuantity(*publishedMacs(entry.name)).text() : "",
                   joinedSizes(entry.input), entry.nativeAttention, entry.note});
    return table.text();
}

ExitCode listModels(OutputArguments& output, std::stop_token)
{
    const JsonTarget target(output.json);
    const Json models = jsonList(catalogue(), [](const CatalogueEntry& entry) { return toJson(entry); });
    target.print(table(), {{"models", models}});
    return ExitCode::Done;
}

/// By OptionType.
constexpr std::array typeNames{"integer", "real", "choice", "flag"};

bool isNumber(const OptionInfo& option)
{
    return option.type == OptionType::Integer || option.type == OptionType::Real;
}

/// Bounds are whole numbers where the option is one.
Json bound(const OptionInfo& option, double value)
{
    return option.type == OptionType::Integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json toJson(const OptionInfo& option)
{
    Json json{{"name", option.name}, {"type", typeNames.at(static_cast<std::size_t>(option.type))}};
    json["default"] = nullptr;
    if (option.defaultValue)
        std::visit([&](const auto& value) { json["default"] = value; }, *option.defaultValue);
    json["minimum"] = isNumber(option) ? bound(option, option.minimum) : Json(nullptr);
    json["maximum"] = isNumber(option) ? bound(option, option.maximum) : Json(nullptr);
    json["choices"] = jsonList(option.choices, [&](const OptionChoice& choice) {
        return Json{{"name", choice.name}, {"help", choice.help}, {"aliases", choice.aliases}};
    });
    json["help"] = option.help;
    json["advanced"] = option.advanced;
    return json;
}

Json toJson(const BackendInfo& info)
{
    Json json{{"name", info.name},         {"title", info.title},           {"help", info.help},
              {"citation", info.citation}, {"complexity", info.complexity}, {"random", info.random},
              {"nature", toText(info.kind)},
              {"growth", {{"time", info.tokenComplexity.time}, {"memory", info.tokenComplexity.memory}}}};
    json["options"] = jsonList(info.options, [&](const OptionInfo& option) { return toJson(option); });
    return json;
}

std::string rangeText(const OptionInfo& option)
{
    const auto text = [&](double value) {
        return option.type == OptionType::Integer ? toText(OptionValue(static_cast<std::int64_t>(value)))
                                                  : toText(OptionValue(value));
    };
    if (isNumber(option))
        return text(option.minimum) + " … " + text(option.maximum);
    if (option.type == OptionType::Flag)
        return "true, false";
    std::vector<std::string> names;
    for (const OptionChoice& choice : option.choices)
        names.push_back(choice.name);
    return joined(names, ", ");
}

std::string describe(const BackendInfo& info)
{
    std::string text = emphasised(info.name) + "  " + info.help + "\n  " + describe(info.kind) + " · " + info.complexity + " · " + info.citation
                       + "\n";
    Table table({"option", "default", "values", "meaning"});
    for (const OptionInfo& option : info.options)
        table.add({option.name, option.defaultValue ? toText(*option.defaultValue) : "same as run",
                   rangeText(option), option.help});
    return text + (table.empty() ? "" : table.text(2)) + "\n";
}

std::vector<BackendInfo> chosen(const std::vector<std::string>& names)
{
    if (names.empty())
        return backends();
    std::vector<BackendInfo> list;
    for (const std::string& name : names) {
        // The grammar's own error names the alternatives.
        const AttentionSpec spec = AttentionSpec::parse(name);
        if (spec.isNative())
            throw UsageError("native", "it stands for the model's own attention",
                             "specify the attention by name");
        if (spec.isMixed())
            throw UsageError(spec.canonical(), "it assigns an attention to each layer and has no options of its own",
                             "specify one of its attentions");
        list.push_back(*findBackend(spec.backend()));
    }
    return list;
}

struct BackendsArguments {
    std::vector<std::string> names;
    OutputArguments output;
};

ExitCode listBackends(BackendsArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    const auto list = chosen(arguments.names);
    std::string text;
    for (const BackendInfo& info : list)
        text += describe(info);
    target.print(text, {{"backends", jsonList(list, [](const BackendInfo& info) { return toJson(info); })}});
    return ExitCode::Done;
}

}  // namespace

void addModelsCommand(CommandList& commands)
{
    const auto [command, output] = commands.add<OutputArguments>(
        "models", "Lists the available models with parameters and multiply-adds (called \"FLOPs\" in the papers)",
        {"models", "models --json -"}, listModels);
    addJson(command, output);
}

void addBackendsCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<BackendsArguments>(
        "backends", "Lists the attention backends and their options", {"backends", "backends lara", "backends --json -"},
        listBackends);
    command.add_option("NAME", arguments.names, "Show only these");
    addJson(command, arguments.output);
}

}  // namespace attnscope::cli

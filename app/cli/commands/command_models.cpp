#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json_exponent.h"
#include "core/base/text.h"
#include "models/motionformer/motionformer_models.h"
#include "models/open_model.h"

#include <algorithm>
#include <array>
#include <map>
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

struct ModelsArguments {
    std::vector<std::string> words;
    OutputOptions output;
};

void visitOptions(ModelsArguments& arguments, auto& visit)
{
    visit("WORD", arguments.words, repeatedText("TEXT"),
          "Show only models whose names contain it, or whose family it is");
    visitJson(arguments.output, visit);
}

/// Those whose name or family contains each word; all without words. Throws UsageError if there are none.
std::vector<CatalogueEntry> chosenModels(const std::vector<std::string>& words)
{
    std::vector<CatalogueEntry> chosen;
    for (const CatalogueEntry& entry : catalogue())
        if (std::ranges::all_of(words, [&](const std::string& word) {
                return entry.family == word || entry.name.find(word) != std::string::npos;
            }))
            chosen.push_back(entry);
    if (chosen.empty())
        throw UsageError(joined(words, " "), "no model has such a name",
                         "give a part of a name, such as dinov2, or none");
    return chosen;
}

std::string table(const std::vector<CatalogueEntry>& entries)
{
    Table table = tableOf(
        {"model", ">parameters", ">multiply-adds", ">as published", "input", "native attention", "note"});
    for (const CatalogueEntry& entry : entries)
        table.addTexts({entry.name, formatQuantity(double(entry.parameters)).text(),
                        formatQuantity(entry.macs).text(),
                        publishedMacs(entry.name) ? formatQuantity(*publishedMacs(entry.name)).text() : "",
                        joinedSizes(entry.input), entry.nativeAttention, entry.note});
    return terminalTable(table);
}

/// A family of hundreds of names must not bury the others: its names alone, in lines.
std::string withLongFamiliesShort(const std::vector<CatalogueEntry>& entries)
{
    constexpr size_t longFamily = 40, lineLength = 120;
    std::vector<CatalogueEntry> listed;
    std::map<std::string, std::vector<std::string>> named;
    for (const CatalogueEntry& entry : entries)
        named[entry.family].push_back(entry.name);
    for (const CatalogueEntry& entry : entries)
        if (named[entry.family].size() <= longFamily)
            listed.push_back(entry);
    std::string text = table(listed);
    for (const auto& [family, names] : named) {
        if (names.size() <= longFamily)
            continue;
        text += "\n" + std::to_string(names.size()) + " more of family " + family + " (`models " + names.front()
                + "` shows one in full):";
        size_t length = lineLength;
        for (const std::string& name : names) {
            const bool wraps = length + name.size() + 1 > lineLength;
            text += wraps ? "\n  " + name : " " + name;
            length = (wraps ? 2 : length + 1) + name.size();
        }
        text += "\n";
    }
    return text;
}

ExitCode listModels(ModelsArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    const auto entries = chosenModels(arguments.words);
    const Json models = jsonList(entries, [](const CatalogueEntry& entry) { return toJson(entry); });
    target.print(arguments.words.empty() ? withLongFamiliesShort(entries) : table(entries), {{"models", models}});
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
    return option.type == OptionType::Integer ? Json(int64_t(value)) : Json(value);
}

Json toJson(const OptionInfo& option)
{
    Json json{{"name", option.name}, {"type", typeNames.at(size_t(option.type))}};
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
    Json json{{"name", info.name},
              {"title", info.title},
              {"help", info.help},
              {"citation", info.citation},
              {"complexity", info.complexity},
              {"random", info.random},
              {"nature", toText(info.kind)},
              {"growth",
               {{"time", exponentJson(info.tokenComplexity.time)},
                {"memory", exponentJson(info.tokenComplexity.memory)}}}};
    json["options"] = jsonList(info.options, [&](const OptionInfo& option) { return toJson(option); });
    json["token_maps"] = jsonList(info.tokenMaps, [](const TokenMapInfo& map) {
        return Json{{"name", map.name}, {"title", map.title}, {"help", map.help}, {"of_query", map.ofQuery}};
    });
    return json;
}

std::string rangeText(const OptionInfo& option)
{
    const auto text = [&](double value) {
        return option.type == OptionType::Integer ? toText(OptionValue(int64_t(value)))
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
    std::string text = emphasised(info.name) + "  " + info.help + "\n  " + describe(info.kind) + " · "
                       + info.complexity + " · " + info.citation + "\n";
    Table table = tableOf({"option", "default", "values", "meaning"});
    for (const OptionInfo& option : info.options)
        table.addTexts({option.name, option.defaultValue ? toText(*option.defaultValue) : "same as run",
                        rangeText(option), option.help});
    if (!table.rows.empty())
        text += terminalTable(table, 2);
    if (!info.tokenMaps.empty())
        text += "  maps (layers --figure-of): " + joined(namesOf(info.tokenMaps), ", ") + "\n";
    return text + "\n";
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
            throw UsageError("native", "it stands for the model's own attention", "specify the attention by name");
        if (spec.isMixed())
            throw UsageError(spec.canonical(),
                             "it assigns an attention to each layer and has no options of its own",
                             "specify one of its attentions");
        list.push_back(*findBackend(spec.backend()));
    }
    return list;
}

struct BackendsArguments {
    std::vector<std::string> names;
    OutputOptions output;
};

void visitOptions(BackendsArguments& arguments, auto& visit)
{
    visit("NAME", arguments.names, repeatedText("TEXT"), "Show only these");
    visit.plugins();
    visitJson(arguments.output, visit);
}

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

}

void addModelsCommand(CommandList& commands)
{
    commands.add<ModelsArguments>(
        "models", "Lists the available models with parameters and multiply-adds (called \"FLOPs\" in the papers)",
        {"models", "models dinov2", "models --json -"}, listModels);
}

void addBackendsCommand(CommandList& commands)
{
    commands.add<BackendsArguments>("backends", "Lists the attention backends and their options",
                                    {"backends", "backends lara", "backends --json -"}, listBackends);
}

}

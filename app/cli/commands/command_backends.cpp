// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/json_output.h"
#include "app/cli/output/table_output.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope::cli {

namespace {

const char* typeName(OptionType type)
{
    switch (type) {
    case OptionType::Integer:
        return "integer";
    case OptionType::Real:
        return "real";
    case OptionType::Choice:
        return "choice";
    case OptionType::Flag:
        break;
    }
    return "flag";
}

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
    Json json{{"name", option.name}, {"type", typeName(option.type)}};
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
    std::string names;
    for (const OptionChoice& choice : option.choices)
        names += (names.empty() ? "" : ", ") + choice.name;
    return names;
}

std::string describe(const BackendInfo& info)
{
    std::string text = emphasised(info.name) + "  " + info.help + "\n  " + describe(info.kind) + " · " + info.complexity + " · " + info.citation
                       + "\n";
    Table table({{"option"}, {"default"}, {"values"}, {"meaning"}});
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

ExitCode run(const std::vector<std::string>& names, const OutputArguments& output)
{
    const JsonTarget target(output.json);
    const auto list = chosen(names);
    Json json{{"backends", Json::array()}};
    std::string text;
    for (const BackendInfo& info : list) {
        json["backends"].push_back(toJson(info));
        text += describe(info);
    }
    target.print(text, json);
    return ExitCode::Done;
}

}  // namespace

void addBackendsCommand(CommandList& commands)
{
    struct Arguments {
        std::vector<std::string> names;
        OutputArguments output;
    };
    const auto arguments = std::make_shared<Arguments>();
    CLI::App& command = commands.add(
        "backends", "Lists the attention backends and their options", {"backends", "backends lara", "backends --json -"},
        [arguments](std::stop_token) { return run(arguments->names, arguments->output); });
    command.add_option("NAME", arguments->names, "Show only these");
    addJson(command, arguments->output);
}

}  // namespace attnscope::cli

#include "app/cli/help/completion_scripts.h"

#include "core/attention/attention_spec.h"
#include "core/base/text.h"
#include "models/open_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope::cli {

namespace {

/// What may stand in one place of a command line.
struct CompletedValue {
    std::vector<std::string> words;
    bool files = false;

    bool operator==(const CompletedValue&) const = default;
};

struct CompletedOption {
    std::string longName, shortName;  ///< "--help", "-h"; the latter may be empty
    std::string help;
    bool takesValue = false;
    bool repeats = false;
    CompletedValue value;
};

struct CompletedCommand {
    std::string name, help;
    std::vector<CompletedOption> options;
    CompletedValue positional;
};

/// Of "{auto,imagenet}", as CLI11 describes a choice.
std::vector<std::string> choicesIn(const std::string& description)
{
    std::vector<std::string> choices;
    if (description.size() > 2 && description.front() == '{' && description.back() == '}')
        for (const std::string_view word :
             split(std::string_view(description).substr(1, description.size() - 2), ','))
            choices.emplace_back(word);
    return choices;
}

std::vector<std::string> choicesOf(CLI::Option& option)
{
    try {
        for (int i = 0;; ++i)
            if (auto choices = choicesIn(option.get_validator(i)->get_description()); !choices.empty())
                return choices;
    } catch (const CLI::OptionNotFound&) {
        return {};  // behind the last validator
    }
}

std::vector<std::string> modelNames()
{
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : catalogue())
        names.push_back(entry.name);
    return names;
}

CompletedValue valueOf(CLI::Option& option)
{
    CompletedValue value{choicesOf(option), false};
    if (!value.words.empty())
        return value;
    const std::string type = option.get_type_name().substr(0, option.get_type_name().find(':')),
                      name = option.get_name();
    value.files = type.starts_with("FILE") || type.starts_with("FOLDER");
    if (type == "SPEC")
        value.words = name == "--tokens" ? tokenMethodNames() : attentionNames();
    else if (name == "--model" && type == "NAME")
        value = {modelNames(), true};
    else if (name == "--weights" || name == "--init")
        value.words = {"untrained"};
    else if (name == "--device")
        value.words = {"auto", "cpu", "cuda"};
    else if (name == "--views")
        value.words = {"10x3", "1x3", "1x1"};
    return value;
}

CompletedCommand completed(CLI::App& app)
{
    CompletedCommand command{app.get_name(), app.get_description(), {}, {}};
    for (CLI::Option* option : app.get_options()) {
        if (option->get_positional()) {
            command.positional = valueOf(*option);
            if (command.name == "backends")
                command.positional.words = attentionNames();
            else if (command.positional.words.empty())
                command.positional.files = true;
            continue;
        }
        CompletedOption one;
        if (!option->get_lnames().empty())
            one.longName = "--" + option->get_lnames().front();
        if (!option->get_snames().empty())
            one.shortName = "-" + option->get_snames().front();
        one.help = option->get_description();
        one.help = one.help.substr(0, one.help.find_first_of(";("));
        one.help.erase(one.help.find_last_not_of(" :") + 1);
        one.takesValue = option->get_items_expected_max() > 0;
        one.repeats = option->get_expected_max() > 1 && !option->get_allow_extra_args();
        if (one.takesValue)
            one.value = valueOf(*option);
        command.options.push_back(std::move(one));
    }
    return command;
}

/// Inside single quotes: `quote` stands for one.
std::string escaped(std::string_view text, std::string_view special, std::string_view quote)
{
    std::string result;
    for (const char c : text) {
        if (c == '\'') {
            result += quote;
            continue;
        }
        if (special.find(c) != std::string_view::npos)
            result += '\\';
        result += c;
    }
    return result;
}

std::string heading(const std::string& shell, const std::string& where)
{
    return fmt::format("# SPDX-License-Identifier: Apache-2.0\n"
                       "# Completion for {0}, printed by `attnscope-cli completion {0}`: {1}.\n",
                       shell, where);
}

std::string zshText(std::string_view text)
{
    return escaped(text, "[]:\\", "'\\''");
}

std::string zshAction(const CompletedValue& value)
{
    const std::string words = joined(value.words, " ");
    if (value.files)
        return value.words.empty() ? "_files" : "{compadd -- " + words + "; _files}";
    return value.words.empty() ? " " : "(" + words + ")";
}

std::string zshOption(const CompletedOption& option)
{
    const std::string rest = fmt::format("[{}]{}", zshText(option.help),
                                         option.takesValue ? ":value:" + zshAction(option.value) : "");
    const std::string many = option.repeats ? "*" : "";
    std::string lines;
    for (const std::string& name : {option.longName, option.shortName})
        if (!name.empty())
            lines += fmt::format(" \\\n                    '{}{}{}'", many, name, rest);
    return lines;
}

std::string fishText(std::string_view text)
{
    return escaped(text, "\\", "\\'");
}

std::vector<CompletedCommand> completedCommands(const CommandList& commands)
{
    std::vector<CompletedCommand> list;
    for (const CommandList::Command& command : commands.all())
        list.push_back(completed(*command.app));
    return list;
}

std::string bashCompletion(const std::vector<CompletedCommand>& commands)
{
    std::string names, options, positionals;
    std::vector<std::pair<CompletedValue, std::vector<std::string>>> values;  // and the places that take them
    const auto place = [&](const CompletedValue& value, const std::string& pattern) {
        auto found = std::ranges::find_if(values, [&](const auto& entry) { return entry.first == value; });
        if (found == values.end())
            found = values.insert(found, {value, {}});
        found->second.push_back(pattern);
    };
    for (const CompletedCommand& command : commands) {
        names += command.name + " ";
        std::vector<std::string> words;
        for (const CompletedOption& option : command.options) {
            for (const std::string& name : {option.longName, option.shortName})
                if (!name.empty())
                    words.push_back(name);
            if (option.takesValue)
                place(option.value, fmt::format("\"{} {}\"", command.name, option.longName));
        }
        options += fmt::format("            {}) words=\"{}\" ;;\n", command.name, joined(words, " "));
        if (!command.positional.words.empty())
            positionals += fmt::format("            {}) words=\"{}\" ;;\n", command.name,
                                       joined(command.positional.words, " "));
        else if (command.positional.files)
            positionals += fmt::format("            {}) files=yes ;;\n", command.name);
    }
    std::string text = heading("bash",
                               "put it into share/bash-completion/completions/attnscope-cli, or source it");
    text += "\n_attnscope_cli() {\n"
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
            "command=${COMP_WORDS[1]}\n"
            "    local words= files= value=yes\n"
            "    COMPREPLY=()\n"
            "    # Of --option=value the sign is a word of its own.\n"
            "    [[ $current == = ]] && current=\n"
            "    [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}\n"
            "    case \"$command $previous\" in\n";
    for (const auto& [value, places] : values)
        text += fmt::format("        {}) words=\"{}\" files={} ;;\n", joined(places, "|"),
                            joined(value.words, " "), value.files ? "yes" : "");
    text += "        *) value= ;;\n"
            "    esac\n"
            "    if ((COMP_CWORD == 1)); then\n"
            "        words=\""
            + names
            + "--help --version\"\n"
              "    elif [[ -n $value ]]; then\n"
              "        [[ $words == native* ]] && compopt -o nospace\n"
              "    elif [[ $current == -* ]]; then\n"
              "        case $command in\n"
            + options
            + "        esac\n"
              "    else\n"
              "        case $command in\n"
            + positionals
            + "        esac\n"
              "    fi\n"
              "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; [[ -n $files ]] && compgen -f "
              "-- \"$current\")\n"
              "}\n\n"
              "complete -o filenames -F _attnscope_cli attnscope-cli\n";
    return text;
}

std::string zshCompletion(const std::vector<CompletedCommand>& commands)
{
    std::string text = "#compdef attnscope-cli\n"
                       + heading("zsh", "put it into share/zsh/site-functions/_attnscope-cli");
    text += "\n_attnscope_cli() {\n"
            "    local curcontext=$curcontext context state line\n"
            "    typeset -A opt_args\n"
            "    _arguments -C '(- *)--help[explain the commands]' '(- *)--version[print the version]' \\\n"
            "        '1:command:->command' '*::argument:->argument' && return\n"
            "    case $state in\n"
            "        command)\n"
            "            local -a commands\n"
            "            commands=(\n";
    for (const CompletedCommand& command : commands)
        text += fmt::format("                '{}:{}'\n", command.name, escaped(command.help, ":\\", "'\\''"));
    text += "            )\n"
            "            _describe command commands ;;\n"
            "        argument)\n"
            "            case $words[1] in\n";
    for (const CompletedCommand& command : commands) {
        text += fmt::format("                {}) _arguments -s", command.name);
        for (const CompletedOption& option : command.options)
            text += zshOption(option);
        if (command.positional.files || !command.positional.words.empty())
            text += fmt::format(" \\\n                    '*:argument:{}'", zshAction(command.positional));
        text += " ;;\n";
    }
    return text
           + "            esac ;;\n    esac\n}\n\n"
             "# Loaded by its name, or sourced.\n"
             "if [[ $funcstack[1] == _attnscope-cli ]]; then\n    _attnscope_cli \"$@\"\nelse\n    compdef "
             "_attnscope_cli attnscope-cli\nfi\n";
}

std::string fishCompletion(const std::vector<CompletedCommand>& commands)
{
    const auto valued = [](const CompletedValue& value) {
        const std::string words = value.words.empty() ? "" : " -a '" + joined(value.words, " ") + "'";
        return (value.files ? " -F" : " -f") + words;
    };
    std::string text = heading("fish", "put it into share/fish/vendor_completions.d/attnscope-cli.fish");
    text += "\ncomplete -c attnscope-cli -f\n"
            "complete -c attnscope-cli -n __fish_use_subcommand -l help -d 'Explain the commands'\n"
            "complete -c attnscope-cli -n __fish_use_subcommand -l version -d 'Print the version'\n";
    for (const CompletedCommand& command : commands)
        text += fmt::format("complete -c attnscope-cli -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                            fishText(command.help));
    for (const CompletedCommand& command : commands) {
        const std::string begin = fmt::format("complete -c attnscope-cli -n '__fish_seen_subcommand_from {}'",
                                              command.name);
        text += "\n";
        if (command.positional.files || !command.positional.words.empty())
            text += begin + valued(command.positional) + "\n";
        for (const CompletedOption& option : command.options) {
            text += begin;
            text += option.longName.empty() ? "" : " -l " + option.longName.substr(2);
            text += option.shortName.empty() ? "" : " -s " + option.shortName.substr(1);
            text += option.takesValue ? " -r" + valued(option.value) : "";
            text += fmt::format(" -d '{}'\n", fishText(option.help));
        }
    }
    return text;
}

}

std::string completionScript(const CommandList& commands, const std::string& shell)
{
    const auto list = completedCommands(commands);
    return shell == "bash" ? bashCompletion(list) : shell == "zsh" ? zshCompletion(list) : fishCompletion(list);
}

}

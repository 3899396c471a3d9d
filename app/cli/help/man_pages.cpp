#include "app/cli/help/man_pages.h"

#include "core/base/text.h"
#include "core/base/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace attnscope::cli {

namespace {

/// A text as roff prints it unchanged: `-` stays the character of options, quotes stay those of the shell.
std::string roff(std::string_view text)
{
    std::string result = !text.empty() && (text.front() == '.' || text.front() == '\'') ? "\\&" : "";
    for (const char c : text) {
        switch (c) {
        case '\\':
            result += "\\e";
            break;
        case '-':
            result += "\\-";
            break;
        case '\'':
            result += "\\(aq";
            break;
        case '`':
            result += "\\(ga";
            break;
        case '^':
            result += "\\(ha";
            break;
        case '~':
            result += "\\(ti";
            break;
        case '\n':
            result += "\n.br\n";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string bold(std::string_view text)
{
    return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text)
{
    return "\\fI" + roff(text) + "\\fR";
}

std::string sentence(std::string text)
{
    if (!text.empty() && std::string_view(".:?").find(text.back()) == std::string_view::npos)
        text += '.';
    return text;
}

std::string inLowerCase(std::string text)
{
    // Not of an abbreviation.
    if (text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) == 0)
        text[0] = char(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// What CLI11 describes as "HOW:{ignore,apply}" or "N:INT in [1 - 4096]".
struct ValueType {
    std::string name;         ///< HOW
    std::string restriction;  ///< a sentence, or empty
};

ValueType valueTypeOf(const CLI::Option& option)
{
    const std::string text = option.get_type_name();
    const size_t colon = text.find(':');
    ValueType type{text.substr(0, colon), {}};
    if (colon == std::string::npos)
        return type;
    const std::string rest = text.substr(colon + 1);
    const size_t open = rest.find_first_of("{["), close = rest.find_last_of("}]");
    if (open == std::string::npos || close == std::string::npos || close < open)
        return type;
    const std::string inside = rest.substr(open + 1, close - open - 1);
    if (rest[open] == '{') {
        std::vector<std::string> words;
        for (const std::string_view word : split(inside, ','))
            words.emplace_back(word);
        type.restriction = "One of " + joinWords(words) + ".";
    } else if (const size_t dash = inside.find(" - "); dash != std::string::npos) {
        type.restriction = "From " + inside.substr(0, dash) + " to " + inside.substr(dash + 3) + ".";
    }
    return type;
}

bool takesValue(const CLI::Option& option)
{
    return option.get_items_expected_max() > 0;
}

std::string entry(const CLI::Option& option)
{
    const ValueType type = valueTypeOf(option);
    std::string heading;
    if (option.get_positional())
        heading = italic(option.get_name()) + (option.get_expected_max() > 1 ? "..." : "");
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back(bold("-" + name));
    for (const std::string& name : option.get_lnames())
        names.push_back(bold("--" + name));
    heading += joined(names, ", ");
    if (takesValue(option) && !option.get_positional())
        heading += " " + italic(type.name);
    std::string text = roff(sentence(option.get_description()));
    if (!type.restriction.empty())
        text += " " + roff(type.restriction);
    if (takesValue(option) && !option.get_default_str().empty())
        text += " Default: " + roff(option.get_default_str()) + ".";
    if (option.get_required() && !option.get_positional())
        text += " Required.";
    return ".TP\n" + heading + "\n" + text + "\n";
}

std::string entries(const CLI::App& app, bool positional)
{
    std::string text;
    for (const CLI::Option* option : app.get_options())
        if (option->get_positional() == positional)
            text += entry(*option);
    return text;
}

std::string section(const std::string& title, const std::string& text)
{
    return text.empty() ? "" : ".SH " + title + "\n" + text;
}

std::string synopsisOf(const CLI::App& command, const std::string& program)
{
    std::string text = bold(program) + " [" + italic("OPTION") + "]...";
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional()) {
            const std::string name = italic(option->get_name()) + (option->get_expected_max() > 1 ? "..." : "");
            text += option->get_required() ? " " + name : " [" + name + "]";
        }
    return text + "\n";
}

/// Of the lines that the command shows below its options.
std::string examplesOf(const CLI::App& command)
{
    const std::string footer = command.get_footer();
    std::string text;
    for (const std::string_view line : split(footer, '\n'))
        if (const std::string_view example = trim(line); example.starts_with("attnscope-cli "))
            text += (text.empty() ? ".RS\n" : ".PP\n.RS\n") + roff(example) + "\n.RE\n";
    return text;
}

const char* const exitStatus =
    ".TP\n0\nDone.\n.TP\n1\nFailed.\n.TP\n2\nWrong usage.\n"
    ".TP\n3\nDone, but some inputs were unreadable: they are listed on standard error and in the JSON.\n"
    ".TP\n130\nInterrupted; what was finished is kept.\n";

std::string pageHeading(const std::string& page, const std::string& description)
{
    std::string title = page;
    std::ranges::transform(title, title.begin(), [](unsigned char c) { return char(std::toupper(c)); });
    return fmt::format(".\\\" SPDX-License-Identifier: Apache-2.0\n.TH {} 1 \"\" \"Attnscope {}\" \"Attnscope "
                       "manual\"\n.SH NAME\n{} \\- {}\n",
                       title, version, roff(page), roff(description));
}

std::string commandPage(const CLI::App& app, const CLI::App& command)
{
    const std::string program = app.get_name() + " " + command.get_name(), description = command.get_description();
    const std::string page = app.get_name() + "-" + command.get_name();
    return pageHeading(page, inLowerCase(description.substr(0, description.find(':'))))
           + section("SYNOPSIS", synopsisOf(command, program))
           + section("DESCRIPTION", roff(sentence(description)) + "\n" + entries(command, true))
           + section("OPTIONS", entries(command, false)) + section("EXAMPLES", examplesOf(command))
           + section("EXIT STATUS", exitStatus) + section("SEE ALSO", ".BR " + roff(app.get_name()) + " (1)\n");
}

std::string programPage(const CLI::App& app, const CommandList& commands)
{
    std::string list, pages;
    for (const CommandList::Command& command : commands.all()) {
        list += ".TP\n" + bold(command.app->get_name()) + "\n" + roff(sentence(command.app->get_description()))
                + "\n";
        pages += ".BR " + roff(app.get_name() + "-" + command.app->get_name()) + " (1),\n";
    }
    const std::string synopsis = bold(app.get_name()) + " " + italic("COMMAND") + " [" + italic("OPTION")
                                 + "]... [" + italic("ARGUMENT") + "]...\n.br\n" + bold(app.get_name()) + " ["
                                 + bold("--help") + "|" + bold("--version") + "]\n";
    return pageHeading(app.get_name(), "compares attention methods of vision transformers")
           + section("SYNOPSIS", synopsis) + section("DESCRIPTION", roff(app.get_description()) + "\n")
           + section("COMMANDS", list) + section("OPTIONS", entries(app, false))
           + section("ENVIRONMENT", ".TP\n.B ATTNSCOPE_CPU\nThe instruction set of the kernels: portable, avx2, "
                                    "avx512, avx512bf16 or amx. Default: the best that the "
                                    "processor has.\n.TP\n.B NO_COLOR\nIf it is set, nothing is coloured.\n")
           + section("EXIT STATUS", exitStatus) + section("SEE ALSO", pages + ".BR attnscope (1)\n");
}

}

std::vector<std::pair<std::string, std::string>> manPages(const CLI::App& app, const CommandList& commands)
{
    std::vector<std::pair<std::string, std::string>> pages{{app.get_name() + ".1", programPage(app, commands)}};
    for (const CommandList::Command& command : commands.all())
        pages.emplace_back(app.get_name() + "-" + command.app->get_name() + ".1", commandPage(app, *command.app));
    return pages;
}

}

#include "app/cli/commands/command.h"

#include "core/base/version.h"

namespace attnscope::cli {

CLI::App& CommandList::add(const std::string& name, const std::string& description,
                           const std::vector<std::string>& examples, CommandRun run)
{
    CLI::App* command = m_app.add_subcommand(name, description);
    command->set_version_flag("--version", std::string("attnscope-cli ") + version);
    std::string footer = examples.empty() ? "" : "Examples:";
    for (const std::string& example : examples)
        footer += "\n  attnscope-cli " + example;
    command->footer(footer);
    m_commands.push_back({command, std::move(run)});
    return *command;
}

std::vector<std::string> CommandList::names() const
{
    std::vector<std::string> names;
    for (const Command& command : m_commands)
        names.push_back(command.app->get_name());
    return names;
}

}

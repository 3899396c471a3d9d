#include "app/cli/commands/command.h"
#include "app/cli/help/completion_scripts.h"
#include "app/cli/output/console.h"

#include <memory>
#include <string>
#include <vector>

namespace attnscope::cli {

void addCompletionCommand(CommandList& commands)
{
    const auto shell = std::make_shared<std::string>();
    CLI::App& command = commands.add("completion",
                                     "Prints a shell completion script for these commands and options",
                                     {"completion bash > ~/.local/share/bash-completion/completions/attnscope-cli",
                                      "completion zsh > ~/.zfunc/_attnscope-cli",
                                      "completion fish > ~/.config/fish/completions/attnscope-cli.fish"},
                                     [shell, &commands](std::stop_token) {
                                         writeData(completionScript(commands, *shell));
                                         return ExitCode::Done;
                                     });
    command.add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>(completionShells.begin(), completionShells.end())));
}

}

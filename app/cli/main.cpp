// SPDX-License-Identifier: Apache-2.0
// The command line: parses, runs one command, turns what it throws into one sentence and an exit code.
#include "app/brief_waiting.h"
#include "app/cli/commands/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/out_of_memory.h"
#include "app/cli/output/console.h"
#include "core/base/error.h"
#include "core/base/process_limit.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/device/freed_memory.h"
#include "core/distributed/launch.h"
#include "core/kernels/cpu/cpu_kernels.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <system_error>

namespace attnscope::cli {

namespace {

void addCommands(CommandList& commands)
{
    addModelsCommand(commands);
    addBackendsCommand(commands);
    addDevicesCommand(commands);
    addClassifyCommand(commands);
    addCompareCommand(commands);
    addAttendCommand(commands);
    addApproximateCommand(commands);
    addLayersCommand(commands);
    addPlanCommand(commands);
    addScaleCommand(commands);
    addInspectCommand(commands);
    addConvertCommand(commands);
    addTrainCommand(commands);
    addEvaluateCommand(commands);
    addReportCommand(commands);
    addMergeCommand(commands);
    addDemoCommand(commands);
    addDoctorCommand(commands);
    addCompletionCommand(commands);
}

/// A word where a command is expected and none is: said with the alternatives, which CLI11 does not do.
void checkCommandName(int argc, char** argv, const CommandList& commands)
{
    if (argc < 2)
        throw UsageError("", "no command was given",
                         "the commands are " + joinWords(commands.names(), "and")
                             + "; attnscope-cli --help explains them");
    const std::string word = argv[1];
    const auto names = commands.names();
    if (word.empty() || (word.front() != '-' && std::find(names.begin(), names.end(), word) == names.end()))
        throw UsageError("", "unknown command `" + printable(word) + "`",
                         "the commands are " + joinWords(names, "and"));
}

/// The options of the parsed command that are spelled most like an unknown one.
std::string alternatives(const CLI::App& command, const std::string& unknown)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return joinWords(nearestWords(unknown.substr(0, unknown.find('=')), names));
}

UsageError usageError(const CLI::App& app, const CLI::ParseError& error)
{
    const auto chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    const std::string help = "attnscope-cli " + (chosen.empty() ? "" : command.get_name() + " ")
                             + "--help explains the options";
    const auto remaining = app.remaining(true);
    const bool option = !remaining.empty() && remaining.front().size() > 1 && remaining.front().front() == '-';
    // A misspelt option is the cause, and the required one that is missing for it only the effect.
    if (option || (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !remaining.empty())) {
        const std::string& unknown = remaining.front();
        return UsageError(chosen.empty() ? "" : command.get_name(),
                          (option ? "unknown option `" : "unexpected argument `") + printable(unknown)
                              + "`",
                          option ? "did you mean " + alternatives(command, unknown) + "?" : help);
    }
    std::string problem = printable(error.what());
    problem.erase(problem.find_last_not_of(" .\n") + 1);
    return UsageError(chosen.empty() ? "" : command.get_name(), problem, help);
}

/// True when everything was said already (help, version).
bool parse(CLI::App& app, int argc, char** argv)
{
    try {
        app.parse(argc, argv);
        return false;
    } catch (const CLI::Success& wanted) {
        std::ostringstream text, unused;
        app.exit(wanted, text, unused);
        writeData(text.str());
        return true;
    } catch (const CLI::ParseError& error) {
        throw usageError(app, error);
    }
}

/// An option that takes one value each time it is given is not shown as taking several ("SPEC ...").
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override
    {
        std::string text = CLI::Formatter::make_option_opts(option);
        const std::string several = " ...";
        const std::size_t at = text.find(several);
        if (at != std::string::npos && !option->get_positional() && !option->get_allow_extra_args())
            text.erase(at, several.size());
        return text;
    }
};

ExitCode runProgram(int argc, char** argv)
{
    Interrupt interrupt;
    CLI::App app(
        "Vision transformers with exact and efficient attention side by side: accuracy, latency, memory, error.",
        "attnscope-cli");
    app.set_version_flag("--version", std::string("attnscope-cli ") + version);
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(32);
    app.footer(
        "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some inputs were unreadable, 130 interrupted.");
    CommandList commands(app);
    addCommands(commands);
    checkCommandName(argc, argv, commands);
    kernels::cpuKernels();  // throws where ATTNSCOPE_CPU asks for what this processor does not have
    if (parse(app, argc, argv))
        return ExitCode::Done;
    for (const CommandList::Command& command : commands.all())
        if (command.app->parsed())
            return command.run(interrupt.token());
    return ExitCode::WrongUsage;
}

ExitCode guarded(int argc, char** argv)
{
    try {
        return runProgram(argc, argv);
    } catch (const Cancelled&) {
        if (launch().isFirst())
            writeMessage("stopped on request.");
        return ExitCode::Interrupted;
    } catch (const UsageError& error) {
        writeMessage(error.what());
        return ExitCode::WrongUsage;
    } catch (const std::bad_alloc&) {
        reportOutOfMemory();
        return ExitCode::Failed;
    } catch (const std::system_error& error) {
        const auto limit = reachedLimit(error.code().value());
        writeMessage(limit ? Error("", limit->problem, limit->remedy).what() : printable(error.what()));
        return ExitCode::Failed;
    } catch (const std::exception& error) {
        writeMessage(printable(error.what()));
        return ExitCode::Failed;
    }
}

}  // namespace

}  // namespace attnscope::cli

int main(int argc, char** argv)
{
    attnscope::waitBriefly(argv);
    attnscope::keepFreedMemory();
    return static_cast<int>(attnscope::cli::guarded(argc, argv));
}

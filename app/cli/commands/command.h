#pragma once

#include "app/cli/input/declare_options.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace attnscope::cli {

/// The contract of docs/cli.md.
enum class ExitCode {
    Done = 0,
    Failed = 1,
    WrongUsage = 2,
    SomeUnreadable = 3,
    Interrupted = 130,
};

/// A command runs after everything was parsed. It throws what main turns into sentences and exit codes.
using CommandRun = std::function<ExitCode(std::stop_token)>;

template <typename Arguments>
struct AddedCommand {
    CLI::App& app;
    Arguments& arguments;  ///< live as long as the command
};

/// The commands of one program, in the order in which help lists them.
class CommandList {
public:
    explicit CommandList(CLI::App& app)
        : m_app(app)
    {}

    /// `examples` are whole command lines, shown below the options.
    CLI::App& add(const std::string& name, const std::string& description,
                  const std::vector<std::string>& examples, CommandRun run);
    /// A command with these arguments, declared by their `visitOptions`.
    template <typename Arguments>
    AddedCommand<Arguments> add(const std::string& name, const std::string& description,
                                const std::vector<std::string>& examples,
                                ExitCode (*run)(Arguments& arguments, std::stop_token stop))
    {
        const auto arguments = std::make_shared<Arguments>();
        const auto runOnArguments = [arguments, run](std::stop_token stop) {
            return run(*arguments, std::move(stop));
        };
        CLI::App& app = add(name, description, examples, runOnArguments);
        declareOptions(app, *arguments);
        return {app, *arguments};
    }

    struct Command {
        CLI::App* app;
        CommandRun run;
    };
    const std::vector<Command>& all() const { return m_commands; }
    std::vector<std::string> names() const;

private:
    CLI::App& m_app;
    std::vector<Command> m_commands;
};

using AddCommand = void(CommandList& commands);
AddCommand addModelsCommand, addBackendsCommand, addDevicesCommand, addClassifyCommand, addCompareCommand,
    addAttendCommand, addApproximateCommand, addLayersCommand, addPlanCommand, addScaleCommand,
    addPluginCheckCommand, addDecodeCommand, addNeighboursCommand, addExitsCommand, addInspectCommand,
    addConvertCommand, addExportCommand, addGateCommand, addTrainCommand, addEvaluateCommand, addRepeatCommand,
    addReportCommand, addPredictionsCommand, addMergeCommand, addDemoCommand, addDoctorCommand, addGpuCommand,
    addCompletionCommand;

}

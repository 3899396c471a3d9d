// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exit_code.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::cli {

/// A command runs after everything was parsed. It throws what main turns into sentences and exit codes.
using CommandRun = std::function<ExitCode(std::stop_token)>;

/// The commands of one program, in the order in which help lists them.
class CommandList {
public:
    explicit CommandList(CLI::App& app)
        : m_app(app)
    {}

    /// `examples` are whole command lines, shown below the options.
    CLI::App& add(const std::string& name, const std::string& description,
                  const std::vector<std::string>& examples, CommandRun run);

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

void addModelsCommand(CommandList& commands);
void addBackendsCommand(CommandList& commands);
void addDevicesCommand(CommandList& commands);
void addClassifyCommand(CommandList& commands);
void addCompareCommand(CommandList& commands);
void addAttendCommand(CommandList& commands);
void addApproximateCommand(CommandList& commands);
void addLayersCommand(CommandList& commands);
void addPlanCommand(CommandList& commands);
void addScaleCommand(CommandList& commands);
void addInspectCommand(CommandList& commands);
void addConvertCommand(CommandList& commands);
void addTrainCommand(CommandList& commands);
void addEvaluateCommand(CommandList& commands);
void addReportCommand(CommandList& commands);
void addMergeCommand(CommandList& commands);
void addDemoCommand(CommandList& commands);
void addDoctorCommand(CommandList& commands);
void addCompletionCommand(CommandList& commands);

}  // namespace attnscope::cli

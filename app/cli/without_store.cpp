// SPDX-License-Identifier: Apache-2.0
// In place of the commands that keep or read results, where the build has no store.
#include "app/cli/commands.h"
#include "core/base/error.h"

namespace attnscope::cli {

namespace {

void addMissing(CommandList& commands, const std::string& name)
{
    commands
        .add(name, "Not in this build: it has no results store", {},
             [name](std::stop_token) -> ExitCode {
                 throw Unsupported(name, "this build has no results store",
                                   "build with -DATTNSCOPE_STORE=ON, which needs SQLite and SQLiteCpp");
             })
        .allow_extras();
}

}  // namespace

void addEvaluateCommand(CommandList& commands)
{
    addMissing(commands, "evaluate");
}

void addReportCommand(CommandList& commands)
{
    addMissing(commands, "report");
}

void addMergeCommand(CommandList& commands)
{
    addMissing(commands, "merge");
}

}  // namespace attnscope::cli

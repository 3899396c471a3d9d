// SPDX-License-Identifier: Apache-2.0
// In place of the commands that keep or read results, where the build has no store.
#include "app/cli/commands/command.h"
#include "app/cli/training_store.h"
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

void addExitsCommand(CommandList& commands)
{
    addMissing(commands, "exits");
}

void addGateCommand(CommandList& commands)
{
    addMissing(commands, "gate");
}

void addNeighboursCommand(CommandList& commands)
{
    addMissing(commands, "neighbours");
}

void addRepeatCommand(CommandList& commands)
{
    addMissing(commands, "repeat");
}

void addReportCommand(CommandList& commands)
{
    addMissing(commands, "report");
}

void addMergeCommand(CommandList& commands)
{
    addMissing(commands, "merge");
}

struct TrainingStore::State {};

TrainingStore::TrainingStore(const std::string& store, const std::string&, const std::string&)
{
    if (!store.empty())
        throw Unsupported("--store", "this build has no results store", "build with -DATTNSCOPE_STORE=ON, which needs SQLite and SQLiteCpp");
}

TrainingStore::~TrainingStore() = default;

void TrainingStore::begin(const TrainingStart&) {}

std::string TrainingStore::add(const EpochRecord&)
{
    return {};
}

}  // namespace attnscope::cli

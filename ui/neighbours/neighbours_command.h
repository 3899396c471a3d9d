#pragma once

#include "ui/neighbours/neighbours_task.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

/// The `attnscope-cli neighbours …` line that gives the same figures.
CommandLine neighboursCommand(const NeighbourQuestion& question, int threads);

}

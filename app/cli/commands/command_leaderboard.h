#pragma once

#include "app/cli/commands/laboratory/lab_command.h"
#include "models/lab_options.h"

#include <functional>
#include <stop_token>

/// `approximate --all`: every attention that needs no training, in one table.
namespace attnscope::cli {

/// Opens the subject once everything else is checked; shows progress, table, chart and JSON. Rows that `--resume` holds are not measured
/// again, and a stop leaves all finished ones there.
ExitCode runLeaderboard(const ApproximateOptions& options, const LeaderboardRequest& request,
                        const std::function<LabSubject()>& open, std::stop_token stop);

}

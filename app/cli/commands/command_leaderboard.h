#pragma once

#include "app/cli/commands/lab_command.h"
#include "core/lab/leaderboard/leaderboard.h"

#include <functional>
#include <stop_token>
#include <string>

/// `approximate --all`: every attention that needs no training, in one table.
namespace attnscope::cli {

struct LeaderboardArguments {
    bool all = false;
    std::string sort = "error";  ///< "error", "time" or "memory"
    std::string resume;          ///< a JSON file; empty: rows are not kept
    double seconds = 45;
};

void addLeaderboardOptions(CLI::App& command, LeaderboardArguments& arguments);

/// Opens the subject once everything else is checked; shows progress, table, chart and JSON. Rows that `--resume` holds are not measured
/// again, and a stop leaves all finished ones there.
ExitCode runLeaderboard(const LabArguments& arguments, const LeaderboardArguments& leaderboard,
                        const LeaderboardRequest& request, const std::function<LabSubject()>& open,
                        std::stop_token stop);

}

#pragma once

#include "core/base/json.h"
#include "core/lab/leaderboard/leaderboard.h"

#include <filesystem>
#include <optional>
#include <string>

/// Leaderboards as JSON with stable keys (docs/laboratory.md), and read again to be continued. Independent of torch.
namespace attnscope {

Json toJson(const LeaderboardReport& report);

/// What a continued run needs of an earlier one: how it was made, and its rows. Throws FileError for a file that is no such JSON.
LeaderboardReport readLeaderboard(const std::filesystem::path& file);

/// What of model, inputs, seeds and device differs ("seed"); empty if rows of both belong in one table.
std::string differentSetup(const LeaderboardReport& a, const LeaderboardReport& b);

}

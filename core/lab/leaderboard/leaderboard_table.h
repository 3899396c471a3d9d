#pragma once

#include "core/figure/table.h"
#include "core/lab/leaderboard/leaderboard.h"

/// A leaderboard for terminal, window and files. Independent of torch.
namespace attnscope {

/// The rows, in their order; the key of one is its specification.
Table leaderboardTable(const LeaderboardReport& report);
/// What it comes to: which of those that are faster than exact attention is the most accurate; and how it was measured.
Text verdict(const LeaderboardReport& report);
Text conditions(const LeaderboardReport& report);

}

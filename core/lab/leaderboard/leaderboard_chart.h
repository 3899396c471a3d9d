#pragma once

#include "core/figure/chart.h"
#include "core/lab/leaderboard/leaderboard.h"

/// A leaderboard as a chart: window, SVG and CSV show the same. Independent of torch.
namespace attnscope {

/// Cost relative to exact attention against error, both on log scales; a series for each method in its look, and the front of rows that none
/// beats in both. The key of a point is its row's index. Errors below 1e-6 are drawn there.
Chart leaderboardChart(const LeaderboardReport& report, LeaderboardError error,
                       LeaderboardCost cost = LeaderboardCost::Time);
/// By the report's own error.
Chart leaderboardChart(const LeaderboardReport& report, LeaderboardCost cost = LeaderboardCost::Time);

}

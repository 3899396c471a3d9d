#pragma once

#include "core/lab/leaderboard/leaderboard.h"

#include <string>

/// Which rows of a leaderboard are best. Independent of torch.
namespace attnscope {

/// KL of the classes, 1 − cosine of the features, or the relative error; NaN for a failed row and where that was not measured.
double errorOf(const LeaderboardRow& row, LeaderboardError error);
/// Milliseconds or bytes; NaN for a failed row.
double costOf(const LeaderboardRow& row, LeaderboardCost cost);
/// Relative to exact attention.
double relativeCostOf(const LeaderboardRow& row, LeaderboardCost cost);
/// "KL of the classes", "1 − cosine of the features" or "relative error".
std::string nameOf(const LeaderboardReport& report, LeaderboardError error);

/// Marks the fronts by the report's own error, and sorts the rows. Failed and not finite rows go last.
void rank(LeaderboardReport& report, LeaderboardOrder order = LeaderboardOrder::Error);

/// The most accurate row that is faster than exact attention; null if there is none.
const LeaderboardRow* bestFaster(const LeaderboardReport& report);

}

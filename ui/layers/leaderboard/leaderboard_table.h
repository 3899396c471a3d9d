#pragma once

#include "core/lab/leaderboard/leaderboard.h"
#include "ui/widgets/cell_table.h"

namespace attnscope::ui {

/// The rows of a leaderboard as cells; the key of a row is its specification.
TableContents leaderboardTable(const LeaderboardReport& report);

/// What it comes to, and how it was measured.
struct LeaderboardWords {
    QString headline, detail;
};
LeaderboardWords leaderboardWords(const LeaderboardReport& report);

}

#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// The leaderboard before anything was measured: marks of several attentions, and the line of the best of them.
EmptyScreen::Description leaderboardEmpty();

}

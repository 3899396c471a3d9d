// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/neighbours/neighbours_worker.h"

#include <QString>

namespace attnscope::ui {

/// The `attnscope-cli neighbours …` line that gives the same figures, quoted for a POSIX shell.
QString neighboursCommand(const NeighbourQuestion& question, int threads);

/// What was asked for before, where that is not what is asked for now: "made with seed 3". Empty: it is.
QString neighboursStale(const NeighbourQuestion& was, const NeighbourQuestion& now);

}  // namespace attnscope::ui

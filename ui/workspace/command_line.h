// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/compare_types.h"

#include <QStringList>

namespace attnscope::ui {

/// Everything that a comparison's figures depend on, as the command line can repeat it.
struct CompareSetup {
    QStringList paths;
    QStringList specs;
    RunContext context;
    int seeds = 3;
    int threads = 0;
    int repetitions = 20;
    double seconds = 1;
    bool videos = false;  ///< some of the paths are
};

/// The exact `attnscope-cli compare …` line of a setup, quoted for a POSIX shell.
QString compareCommand(const CompareSetup& setup);

/// The exact `attnscope-cli layers …` line for the first path; `query`: "class", "9,4" or "2,9,4". Without weights the path is a
/// file of q, k and v.
QString layersCommand(const CompareSetup& setup, const QString& query);

/// One word as a POSIX shell reads it back.
QString shellQuoted(const QString& word);

}  // namespace attnscope::ui

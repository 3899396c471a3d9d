// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/compare_types.h"

#include <QStringList>

namespace attnscope::ui {

/// One clip of a video and whom it is shown to.
struct LiveCommand {
    QString path;
    QStringList specs;
    RunContext context;
    int threads = 0;
    double start = 0, duration = 0;  ///< seconds
};

/// The `attnscope-cli classify …` line that asks the same about the same clip, quoted for a POSIX shell.
QString classifyCommand(const LiveCommand& command);

}  // namespace attnscope::ui

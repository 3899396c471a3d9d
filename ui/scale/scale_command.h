// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QString>

namespace attnscope::ui {

/// The `attnscope-cli scale|approximate|plan …` line that gives the same figures, quoted for a POSIX shell.
QString commandOf(const ScaleRequest& request, int threads);
QString commandOf(const ApproximateJob& job, int threads);
QString commandOf(const PlanJob& job, int threads);

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"

#include <QString>

namespace attnscope::ui {

/// The `attnscope-cli scale|decode|approximate|plan …` line that gives the same figures, quoted for a POSIX shell.
QString commandOf(const ScaleRequest& request, int threads);
/// Streams are timed on one thread, whatever `threads`.
QString commandOf(const DecodeRequest& request, int threads);
QString commandOf(const ApproximateJob& job, int threads);
QString commandOf(const KernelJob& job, int threads);
QString commandOf(const PlanJob& job, int threads);

}  // namespace attnscope::ui

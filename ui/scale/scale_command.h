#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/scale/scale_jobs.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

/// The `attnscope-cli scale|decode|approximate|plan …` line that gives the same figures.
CommandLine commandOf(const ScaleRequest& request, int threads);
/// Streams are timed on one thread, whatever `threads`.
CommandLine commandOf(const DecodeRequest& request, int threads);
CommandLine commandOf(const ApproximateJob& job, int threads);
CommandLine commandOf(const KernelJob& job, int threads);
CommandLine commandOf(const PlanJob& job, int threads);

}

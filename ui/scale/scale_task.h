#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/engine/task.h"
#include "ui/scale/scale_jobs.h"

#include <variant>

namespace attnscope::ui {

/// What can be measured, in the order of the tabs, and what comes of it in the same order.
using ScaleQuestion = std::variant<ScaleRequest, DecodeRequest, ApproximateJob, KernelJob, PlanJob>;
using ScaleResult = std::variant<ScaleReport, DecodeReport, ApproximateReport, KernelReport, PlanReport>;
using ScaleTask = Task<ScaleQuestion, ScaleResult>;

/// The laboratory of core. The device of a request may still be "auto".
ScaleTask::Measure coreScale();

}

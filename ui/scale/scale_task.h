#pragma once

#include "core/lab/decode/decode.h"
#include "core/lab/scale/scale.h"
#include "ui/engine/task.h"
#include "ui/scale/scale_jobs.h"

#include <memory>
#include <utility>
#include <variant>

namespace attnscope::ui {

/// What can be measured, in the order of the tabs, and what comes of it in the same order.
using ScaleQuestion = std::variant<ScaleRequest, DecodeRequest, ApproximateJob, KernelJob, PlanJob>;
using ScaleResult = std::variant<std::shared_ptr<const ScaleReport>, std::shared_ptr<const DecodeReport>,
                                 std::shared_ptr<const ApproximateReport>, std::shared_ptr<const KernelReport>,
                                 std::shared_ptr<const PlanReport>>;
using ScaleTask = Task<ScaleQuestion, ScaleResult>;

template <typename Report>
ScaleResult scaleResult(Report report)
{
    return std::make_shared<const Report>(std::move(report));
}

/// The laboratory of core. The device of a request may still be "auto".
ScaleTask::Measure coreScale();

}

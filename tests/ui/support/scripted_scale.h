#pragma once

#include "ui/scale/scale_task.h"

#include <atomic>
#include <memory>
#include <string>

/// Stands in for the laboratory: costs follow the powers that backends claim, no network runs here and no figure means anything.
namespace attnscope::ui::test {

struct ScaleScript {
    std::atomic<int> stepMs{0};     ///< between two points
    std::atomic<bool> hold{false};  ///< waits after the first length until released or stopped
    std::atomic<int> runs{0};
    std::atomic<double> load{0.2};
    std::string failure;  ///< what every call throws instead
    ScaleRequest scale;   ///< as asked last
    DecodeRequest decode;
    ApproximateJob approximate;
    KernelJob kernel;
    PlanJob plan;
};

ScaleTask::Measure scriptedScale(std::shared_ptr<ScaleScript> script);

/// What the script reports when nothing holds it up.
ScaleReport scriptedReport(const ScaleRequest& request);

}

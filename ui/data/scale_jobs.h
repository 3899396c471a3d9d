// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/approximate.h"
#include "core/lab/plan.h"
#include "models/open_model.h"

#include <string>
#include <vector>

/// What the Scale screen asks of a model; lengths need none (ScaleRequest).
namespace attnscope::ui {

/// Error against samples: on a model's own q, k, v for some inputs, or on those of a file.
struct ApproximateJob {
    ModelRequest model;
    std::vector<std::string> inputs;  ///< pictures or videos, of which one view is taken
    std::string dump;                 ///< a file of q, k, v instead of model and inputs
    ApproximateRequest request;
};

struct PlanJob {
    ModelRequest model;
    std::vector<std::string> inputs;
    PlanRequest request;
};

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/approximate.h"
#include "core/lab/kernel_plot.h"
#include "core/lab/plan/plan.h"
#include "models/open_model.h"

#include <optional>
#include <string>
#include <vector>

/// What the Scale screen asks of a model; lengths (ScaleRequest) and causal streams (DecodeRequest) need none.
namespace attnscope::ui {

/// Error against samples: on a model's own q, k, v for some inputs, on those of a file, or on random ones.
struct ApproximateJob {
    ModelRequest model;
    std::vector<std::string> inputs;  ///< images or videos, of which one view is taken
    std::string dump;                 ///< a file of q, k, v instead of model and inputs
    std::optional<RandomAttention> random;  ///< random numbers instead of either
    ApproximateRequest request;
};

/// Random features by themselves: of a model's q and k for one input, of those of a file, or of random ones.
struct KernelJob {
    ModelRequest model;
    std::string input;  ///< an image or a video, of which one view is taken
    std::string dump;   ///< a file of q and k instead of model and input
    std::optional<RandomAttention> random;
    KernelRequest request;
};

struct PlanJob {
    ModelRequest model;
    std::vector<std::string> inputs;
    std::string labelled;       ///< a labelled folder or list instead of the inputs; for budgets of accuracy
    std::int64_t samples = 0;  ///< taken of it, spread over its classes
    PlanRequest request;
};

}  // namespace attnscope::ui

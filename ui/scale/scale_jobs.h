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

/// What a measurement is made on: a model on some inputs, a file of q, k and v, or random ones.
struct SubjectRequest {
    ModelRequest model;
    std::vector<std::string> inputs;  ///< images or videos, of which one view is taken
    std::string labelled;             ///< a labelled folder or list instead of the inputs; for budgets of accuracy
    int64_t samples = 0;              ///< taken of it, spread over its classes
    std::string file;                 ///< tensors instead of model and inputs
    std::optional<RandomTensors> random;  ///< random numbers instead of either

    bool isModel() const { return file.empty() && !random; }
};

template <typename Request>
struct SubjectJob {
    SubjectRequest subject;
    Request request;
};
using ApproximateJob = SubjectJob<ApproximateRequest>;
using KernelJob = SubjectJob<KernelRequest>;  ///< of a single input
using PlanJob = SubjectJob<PlanRequest>;

}

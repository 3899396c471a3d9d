// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/training_plan.h"
#include "core/train/training_progress.h"
#include "models/open_model.h"

#include <stop_token>
#include <string>

/// Free of torch: how the window and the command line train.
namespace attnscope {

struct TrainRequest {
    std::string folder;             ///< with `train` and `val` inside, or class folders (then no validation)
    std::string layout = "auto";    ///< auto | imagenet | kinetics | list
    std::string validation;         ///< another folder to validate on; empty: `val` of `folder`
    ModelRequest model;             ///< `weights`: a checkpoint to begin with, or "untrained"
    std::string attention = "native";
    std::string landmarkMap = "auto";  ///< learned map behind LARA's pooling: auto (the checkpoint's) | light | dense | none
    std::string teacher;            ///< a checkpoint to distil from; empty: no distillation
    std::string output;             ///< the safetensors file to write
    bool resume = false;            ///< go on where `output` was left; otherwise an existing one is refused
    bool overwrite = false;         ///< begin anew although `output` exists
    TrainingPlan plan;
};

/// Trains as `request` says. After every epoch writes, each by way of a temporary file:
///   OUT.safetensors         the weights (their moving average where there is one), with a description in the header
///   OUT.best.safetensors    the same of the best epoch so far
///   OUT.resume.safetensors  what is needed to go on: weights, moments, averages, counters; removed when all epochs are done
///   OUT.history.json        plan, provenance and a row for each epoch
/// A stop is obeyed between steps: the epoch under way is lost, what was written stays, and `resume` goes on to the same weights,
/// bit for bit, as an uninterrupted run on the same machine with the same number of threads.
/// Throws UsageError, FileError, Unsupported; a loss that is no number ends it with an Error that says where, after the last good
/// epoch was written.
TrainingReport train(const TrainRequest& request, TrainingObserver& observer, std::stop_token stop);

}  // namespace attnscope

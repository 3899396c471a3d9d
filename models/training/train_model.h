#pragma once

#include "core/train/training_plan.h"
#include "core/train/training_progress.h"
#include "models/open_model.h"

#include <stop_token>
#include <string>

/// How window and command line train. Independent of torch.
namespace attnscope {

struct TrainRequest {
    std::string folder;           ///< contains `train` and `val`, or class folders (then no validation)
    std::string layout = "auto";  ///< auto | imagenet | kinetics | list
    std::string validation;       ///< another folder to validate on; empty: `val` of `folder`
    ModelRequest model;           ///< `weights`: an initial checkpoint, or "untrained"
    std::string attention = "native";
    /// Learned map after LARA's pooling: auto (the checkpoint's) | light | dense | none.
    std::string landmarkMap = "auto";
    std::string teacher;     ///< a checkpoint to distil from; empty: no distillation
    std::string output;      ///< the safetensors file to write
    bool resume = false;     ///< continue where `output` was left; otherwise an existing one is an error
    bool overwrite = false;  ///< restart although `output` exists
    TrainingPlan plan;
};

/// Trains as specified by `request`. After every epoch writes, each atomically:
///   OUT.safetensors         the weights (their moving average if there is one), with a description in the header
///   OUT.best.safetensors    the same of the best epoch so far (when exits are trained, by their mean accuracy)
///   OUT.resume.safetensors  the state needed to continue: weights, moments, averages, counters; removed when all epochs are done
///   OUT.history.json        plan, provenance and a row for each epoch
/// A stop takes effect between steps: the current epoch is lost, what was written is kept, and `resume` continues to weights that are
/// bit-identical to those of an uninterrupted run on the same machine with the same number of threads. Throws UsageError, FileError,
/// Unsupported; if the loss becomes non-finite, an Error that says where, after the last good epoch was written.
TrainingReport train(const TrainRequest& request, TrainingObserver& observer, std::stop_token stop);

}

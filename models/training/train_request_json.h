#pragma once

#include "core/base/json.h"
#include "models/training/train_model.h"

#include <optional>
#include <string>

/// A training as data: the contents of the window's form, and the description of an interrupted training. Independent of torch.
namespace attnscope {

/// Everything that the command line would name except limits and whether an output is continued or replaced, which only concern one run.
Json toJson(const TrainRequest& request);

/// Throws FileError, naming `source`, if a value is missing or has the wrong type.
TrainRequest trainRequestFromJson(const Json& json, const std::string& source);

/// The training that OUT.resume.safetensors next to `output` continues, with `resume` set; empty if there is no such file. Reads only the
/// file's header. Throws FileError if it is not ours, or incomplete because it was written by an earlier version.
std::optional<TrainRequest> interruptedTraining(const std::string& output);

}

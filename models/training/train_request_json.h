// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "models/training/train_model.h"

#include <optional>
#include <string>

/// A training as data: what the window remembers of its form, and what a training that was cut off says of itself. Free of torch.
namespace attnscope {

/// What the command line would name; limits and whether an output is continued or replaced are of the moment, and left out.
Json toJson(const TrainRequest& request);

/// Throws FileError, which names `source`, where a value is missing or of another kind.
TrainRequest trainRequestFromJson(const Json& json, const std::string& source);

/// The training that OUT.resume.safetensors beside `output` goes on with, with `resume` set; empty where there is no such file. Reads the
/// file's header alone. Throws FileError when it is none of ours, or says too little: it was written by an earlier version.
std::optional<TrainRequest> interruptedTraining(const std::string& output);

}  // namespace attnscope

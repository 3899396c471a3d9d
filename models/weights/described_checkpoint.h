// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model_family.h"
#include "models/open_model.h"
#include "models/weights/checkpoint_identity.h"

#include <memory>
#include <string>

namespace attnscope {

/// A checkpoint with the model that it is to be, before any value is read.
struct DescribedCheckpoint {
    std::unique_ptr<ModelDescription> description;
    NamedTensors tensors;  ///< under the names of that family's original code
    LoadReport report;     ///< begun: where the tensors come from, what was decided
    std::string advice;    ///< ends the refusal, should they not fit
};

/// By `request.model`, else by what the checkpoint says itself; with its number of classes, image size and short side.
/// Throws UsageError when something is not decided, Unsupported for a family that is not run here, FileError.
DescribedCheckpoint describeCheckpoint(const ModelRequest& request);

/// The model that `request.model` names or whose file it is, with the image size and the short side asked for. Throws UsageError.
std::unique_ptr<ModelDescription> describeModel(const ModelRequest& request);

}  // namespace attnscope

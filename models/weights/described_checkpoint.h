#pragma once

#include "models/model_family.h"
#include "models/open_model.h"
#include "models/weights/checkpoint_identity.h"

#include <memory>
#include <string>

namespace attnscope {

/// Whether the tensors are read, or only checked against the model.
enum class Values { Read, LeftOut };

/// A checkpoint with the model that it will become, before any value is read.
struct DescribedCheckpoint {
    std::unique_ptr<ModelDescription> description;
    NamedTensors tensors;  ///< under the names of that family's original code
    LoadReport report;     ///< initial: the origin of the tensors, and decisions made
    std::string advice;    ///< appended to the message if they do not fit

    /// The network with these tensors, which are moved out.
    std::shared_ptr<TrainableClassifier> load(ModelSetup setup, Values values = Values::Read);
};

/// Determined by `request.model`, else by the checkpoint itself; with its number of classes, image size and short side. Throws UsageError
/// if something is undetermined, Unsupported for a family that can't be run here, FileError.
DescribedCheckpoint describeCheckpoint(const ModelRequest& request);

/// The model with the name or file `request.model`, for untrained weights, with the requested image size and short side. Throws UsageError.
std::unique_ptr<ModelDescription> describeModel(const ModelRequest& request);

}

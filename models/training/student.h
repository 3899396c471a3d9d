#pragma once

#include "models/model_family.h"
#include "models/training/train_model.h"

#include <memory>
#include <string>
#include <vector>

namespace attnscope {

/// A network to be trained, initialised with random weights or from a checkpoint.
struct Student {
    /// With the attention that it will have been trained with, and the data's classes.
    std::unique_ptr<ModelDescription> description;
    std::shared_ptr<TrainableClassifier> network;
    AttentionSpec attention = AttentionSpec::native();  ///< resolved
    std::string source;                                 ///< "deit_tiny.safetensors", "untrained, seed 0"
    std::vector<std::string> notes;                     ///< what was reinitialised, dropped or resized
};

/// The network that `request` describes, in float32, with one class for each of `classes`. Weights of a checkpoint are used if they fit: a
/// head for another number of classes is reinitialised, spatial reductions that the new attention does not have are dropped, both with a
/// note; any other mismatch is an error. If exits are trained, the checkpoint's network as it is, with exit heads, whatever `classes`.
/// Throws UsageError, CheckpointMismatch, FileError, Unsupported.
Student makeStudent(const TrainRequest& request, const ModelSetup& setup, const std::vector<std::string>& classes);

/// A copy of the network, with the same values in its own tensors.
std::shared_ptr<TrainableClassifier> copyOf(const Student& student, const ModelSetup& setup);

}

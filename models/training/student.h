// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model_family.h"
#include "models/training/train_model.h"

#include <memory>
#include <string>
#include <vector>

namespace attnscope {

/// A network to be trained, begun from random weights or from a checkpoint's.
struct Student {
    std::unique_ptr<ModelDescription> description;  ///< with the attention that it will have been trained with, and the data's classes
    std::shared_ptr<TrainableClassifier> network;
    AttentionSpec attention = AttentionSpec::native();  ///< resolved
    std::string source;              ///< "deit_tiny.safetensors", "untrained, seed 0"
    std::vector<std::string> notes;  ///< what was begun anew, dropped or resized
};

/// The network that `request` asks for, in float32, with one class for each of `classes`. Weights of a checkpoint are taken where they
/// fit: a head for another number of classes begins anew, spatial reductions that the new attention does not have are dropped, and
/// both are said; anything else that does not fit is refused. Throws UsageError, CheckpointMismatch, FileError, Unsupported.
Student makeStudent(const TrainRequest& request, const ModelSetup& setup, const std::vector<std::string>& classes);

/// The same network again, with the same values in tensors of its own.
std::shared_ptr<TrainableClassifier> copyOf(const Student& student, const ModelSetup& setup);

}  // namespace attnscope

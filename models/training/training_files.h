// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/trainable_classifier.h"
#include "core/train/training_progress.h"
#include "models/model_family.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// The files that a training writes beside its output, each by way of a temporary one.
struct TrainingFiles {
    explicit TrainingFiles(const std::string& output);  ///< throws UsageError when it is not named ….safetensors

    std::string output, best, resume, history;
};

/// A network as a checkpoint that describes itself (models/weights/header_description.h).
void writeCheckpoint(const std::string& path, const TrainableClassifier& network, const ModelDescription& description, const Json& provenance);

/// What a training needs to go on, and where it was.
struct ResumeState {
    std::map<std::string, at::Tensor> tensors;  ///< see Trainer::state
    Json training;  ///< {"plan", "attention", "data", "epochs", "before", "teacher"}
};
void writeResumeState(const std::string& path, const ResumeState& state);
/// Throws FileError when it is none of ours.
ResumeState readResumeState(const std::string& path);

}  // namespace attnscope

#pragma once

#include "core/train/trainable_classifier.h"
#include "core/train/training_progress.h"
#include "models/model_family.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// The files that a training writes next to its output, each atomically.
struct TrainingFiles {
    explicit TrainingFiles(const std::string& output);  ///< throws UsageError if it is not named ….safetensors

    std::string output, best, resume, history;
};

/// Writes a network as a self-describing checkpoint (models/weights/header_description.h).
void writeCheckpoint(const std::string& path, const TrainableClassifier& network,
                     const ModelDescription& description, const Json& provenance);

/// What a training needs to continue, and its position.
struct ResumeState {
    std::map<std::string, at::Tensor> tensors;  ///< see Trainer::state
    Json training;                              ///< {"plan", "attention", "data", "epochs", "before", "teacher"}
};
void writeResumeState(const std::string& path, const ResumeState& state);
/// Throws FileError if it is not ours.
ResumeState readResumeState(const std::string& path);

}

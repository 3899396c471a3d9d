// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluate/evaluate.h"
#include "models/labels/model_classes.h"
#include "models/open_model.h"

#include <string>
#include <vector>

/// Free of torch: how the window and the command line come from a folder and a model to an evaluation.
namespace attnscope {

/// What `place` holds (scanEvaluation), labelled by the model's classes (matchClasses), with absolute paths.
/// `labels`: what the user calls the model's classes; empty: the names that it has. Throws FileError, UsageError.
LabelledSet evaluationSet(const std::string& place, FolderLayout layout, const Classifier& classifier,
                          const std::vector<std::string>& labels = {});

/// What the store keeps of where the model comes from: `weightsFile` and `modelDescription`.
void noteOrigin(EvaluationRequest& request, const ModelRequest& model);

}  // namespace attnscope

#pragma once

#include "core/data/dataset/evaluation_folder.h"
#include "core/evaluate/evaluate.h"
#include "models/labels/model_classes.h"
#include "models/open_model.h"

#include <string>
#include <vector>

/// How window and command line get from a folder and a model to an evaluation. Independent of torch.
namespace attnscope {

/// The contents of a place (scanEvaluation), labelled by the model's classes (matchProtocol), with absolute paths. `labels`: the user's
/// names for the model's classes; empty: its own names. Throws FileError, UsageError.
LabelledSet evaluationSet(const EvaluationSource& source, const Classifier& classifier,
                          const std::vector<std::string>& labels = {});

/// Records the model's origin for the store: `weightsFile` and `modelDescription`.
void noteOrigin(EvaluationRequest& request, const ModelRequest& model);

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/match_classes.h"

#include <cstdint>
#include <string>
#include <vector>

/// A model's classes, and files whose classes they are. Free of torch.
namespace attnscope {

class Classifier;

/// Names of the model's classes; synsets besides where they are ImageNet's.
ModelClasses classesOf(const Classifier& classifier);

/// Some files of a labelled folder or list.
struct LabelledSample {
    std::vector<std::string> paths;    ///< absolute
    std::vector<std::int64_t> labels;  ///< of each, an index of the model's classes
    std::int64_t found = 0;            ///< files that were there
};

/// At most `count` files of what scanEvaluation finds at `place`, spread evenly over it, and so over its classes. Throws FileError,
/// UsageError as scanEvaluation and matchClasses do.
LabelledSample labelledSample(const std::string& place, const Classifier& classifier, std::int64_t count);

}  // namespace attnscope

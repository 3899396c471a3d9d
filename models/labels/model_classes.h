#pragma once

#include "core/data/dataset/match_classes.h"

#include <cstdint>
#include <string>
#include <vector>

/// A model's classes, and files labelled with them. Independent of torch.
namespace attnscope {

class Classifier;

/// Names of the model's classes, and their synsets if they are ImageNet's.
ModelClasses classesOf(const Classifier& classifier);

/// Some files of a labelled folder or list.
struct LabelledSample {
    std::vector<std::string> paths;  ///< absolute
    std::vector<int64_t> labels;     ///< of each file, an index of the model's classes
    int64_t found = 0;               ///< number of files found
};

/// At most `count` of the files that scanEvaluation finds at `place`, spread evenly over it, and so over its classes. Throws FileError and
/// UsageError like scanEvaluation and matchClasses.
LabelledSample labelledSample(const std::string& place, const Classifier& classifier, int64_t count);

}

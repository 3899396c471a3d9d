#pragma once

#include "core/data/dataset/evaluation_folder.h"
#include "core/data/dataset/match_classes.h"

#include <cstdint>
#include <string>
#include <vector>

/// Published ways to evaluate, by name: which files count, which classes are predicted, what is right.
namespace attnscope {

struct Protocol {
    std::string name;         ///< "imagenet-a"
    std::string title;        ///< "ImageNet-A"
    std::string description;  ///< what it is made of, one sentence
    std::string source;       ///< where it was published
    int64_t samples = 0;      ///< of the whole set; 0: copies differ
};

/// All of them, in the order of the documents.
const std::vector<Protocol>& protocols();
/// Throws UsageError for an unknown name.
const Protocol& protocolNamed(const std::string& name);

/// The samples of `source.place` as its protocol reads them. Throws FileError where the data are not this protocol's, UsageError.
LabelledSet scanProtocol(const EvaluationSource& source);

/// matchClasses, and what the set's protocol says of labels and classes: ReaL's labels, the classes of ImageNet-A among which a prediction is
/// made … Throws like it.
LabelledSet matchProtocol(LabelledSet set, const ModelClasses& model);

/// Whether a protocol's samples are in groups that have figures of their own.
bool hasGroups(const std::string& protocol);
/// The group of a sample by its stored path: "gaussian_noise/3" of ImageNet-C, `outlierGroup` or "in-distribution" of ImageNet-O.
std::string protocolGroup(const std::string& protocol, const std::string& storedPath);
inline constexpr const char* outlierGroup = "outliers";

}

#pragma once

#include "core/base/progress.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/evaluate/evaluate.h"
#include "core/evaluate/feature_report.h"

#include <memory>
#include <stop_token>
#include <string>

/// The evaluation of features as the command line asks for it: from folders to the store. Independent of torch.
namespace attnscope {

struct FeatureJob {
    std::string folder;                        ///< what is evaluated: a labelled folder or list
    FolderLayout layout = FolderLayout::Auto;  ///< of that folder
    std::string trainingFolder;                ///< empty: `train` in that folder, or next to it
    int64_t trainingLimit = 0;                 ///< number of training samples, spread evenly; 0: all
    FeatureReadoutRequest readouts;
    EvaluationRequest evaluation;  ///< without `data`, which the folders are; one shard
};

/// The labelled folder or list of training samples for `folder`: `given`, or `train` in it if there is one; without it the `train` in
/// `folder`, or next to it. Throws UsageError if there is none.
std::string trainingFolderFor(const std::string& folder, const std::string& given);

/// `network` with the classes of a folder of training samples, or with these of `origin`, as those who read labelled folders see it. It
/// predicts none of them. Throws FileError.
std::shared_ptr<const Classifier> withClassesOf(std::shared_ptr<const Classifier> network,
                                                const std::string& trainingFolder);
std::shared_ptr<const Classifier> withClasses(std::shared_ptr<const Classifier> network, const std::string& origin,
                                              std::vector<std::string> classes);

/// `evaluateFeatures` on these folders. Classes are those of the training folder, to which those of the evaluated one are matched by name.
/// Of videos the clip and crop in their middle are used. Throws what that function and a LabelledReader throw.
FeatureReport evaluateFeatures(const std::shared_ptr<const Classifier>& network, const FeatureJob& job,
                               EvaluationObserver& observer, const ProgressCallback& progress,
                               const std::stop_token& stop);

}

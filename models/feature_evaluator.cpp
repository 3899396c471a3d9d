#include "models/feature_evaluator.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/evaluation_folder.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/evaluate/evaluate_features.h"
#include "core/evaluate/evaluation_plan.h"
#include "models/evaluation_set.h"
#include "models/labelled_samples.h"
#include "models/wrapped_classifier.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// The `train` in a folder: a folder or a list; empty if there is none.
std::string trainingIn(const fs::path& folder)
{
    return splitIn(folder, {"train"}, [](const fs::path& place) { return isFolder(place); });
}

class LabelledNetwork : public WrappedClassifier {
public:
    LabelledNetwork(std::shared_ptr<const Classifier> network, const std::string& origin,
                    std::vector<std::string> classes)
        : WrappedClassifier(std::move(network))
        , m_classes(std::move(classes))
    {
        m_summary.name = "the training samples " + printable(origin);
        m_summary.classes = std::ssize(m_classes);
        m_summary.classifierHeads.clear();
        m_summary.weights = WeightsKind::Trained;  // these names are meant, whatever the weights
    }
    std::vector<std::string> labels() const override { return m_classes; }

private:
    std::vector<std::string> m_classes;
};

}

std::string trainingFolderFor(const std::string& folder, const std::string& given)
{
    if (!given.empty()) {
        const std::string split = trainingIn(given);
        return split.empty() ? given : split;
    }
    for (const fs::path& place : {fs::path(folder), fs::absolute(folder).lexically_normal().parent_path()})
        if (std::string split = trainingIn(place); !split.empty())
            return split;
    throw UsageError("--train-folder",
                     "features need labelled training samples, and there is no `train` in " + printable(folder)
                         + " or next to it",
                     "give a labelled folder or list");
}

std::shared_ptr<const Classifier> withClassesOf(std::shared_ptr<const Classifier> network,
                                                const std::string& trainingFolder)
{
    LabelledSet training = scanEvaluation(trainingFolder, FolderLayout::Auto);
    return withClasses(std::move(network), training.root, std::move(training.classes));
}

std::shared_ptr<const Classifier> withClasses(std::shared_ptr<const Classifier> network, const std::string& origin,
                                              std::vector<std::string> classes)
{
    return std::make_shared<LabelledNetwork>(std::move(network), origin, std::move(classes));
}

FeatureReport evaluateFeatures(const std::shared_ptr<const Classifier>& network, const FeatureJob& job,
                               EvaluationObserver& observer, const ProgressCallback& progress,
                               const std::stop_token& stop)
{
    const std::string folder = trainingFolderFor(job.folder, job.trainingFolder);
    const std::shared_ptr<const Classifier> classes = withClassesOf(network, folder);
    const Classifier& labelled = *classes;
    EvaluationRequest request = job.evaluation;
    request.data = evaluationSet({job.folder, job.layout}, labelled);
    if (request.data.video)
        request.batch = 1;
    request.views = ViewGrid{1, 1};
    EvaluationSettings settings = planEvaluation(labelled, request, stop).settings;
    settings.model = network->describe().name;
    const auto reading = [&](const std::string& place, FolderLayout layout, int64_t limit) {
        return LabelledRequest{.folder = place,
                               .layout = folderLayoutName(layout),
                               .labels = {},
                               .limit = limit,
                               .batch = request.batch,
                               .workers = request.workers,
                               .limits = request.limits,
                               .reading = request.reading};
    };
    LabelledReader training(reading(folder, FolderLayout::Auto, job.trainingLimit), labelled, stop);
    LabelledReader evaluated(reading(job.folder, job.layout, request.limit), labelled, stop);
    return evaluateFeatures(*network, {training.samples(), evaluated.samples()}, settings, request, job.readouts,
                            observer, progress, stop);
}

}

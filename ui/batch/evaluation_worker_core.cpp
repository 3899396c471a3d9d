#include "ui/batch/evaluation_worker.h"
#include "ui/engine/demo_scenes.h"
#include "ui/gallery/thumbnails.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/evaluation_folder.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "models/evaluation_set.h"
#include "models/feature_evaluator.h"

namespace attnscope::ui {

namespace {

/// What the Batch screen tries: enough samples that intervals tell attentions apart, few enough for a minute.
constexpr DemoAmount demoAmount{1, 50};

bool hasNoHead(const OpenedModel& model)
{
    return model.summary.classes == 0;
}

/// The network; without a head, with the classes of the training samples that belong to a folder.
std::shared_ptr<const Classifier> labelledBy(const OpenedModel& model, const std::string& folder)
{
    if (!hasNoHead(model))
        return model.classifier;
    std::string training;
    try {
        training = trainingFolderFor(folder, {});
    } catch (const UsageError&) {
        throw FileError(
            folder,
            "a network without a head is evaluated by its features, and there is no folder `train` of labelled "
            "images in or next to this one",
            "add a folder that contains or has one, or choose weights with a head or class embeddings");
    }
    return withClassesOf(model.classifier, training);
}

/// Returns the evaluation that stands for all readouts; the others are in the store, too.
std::int64_t evaluateFeaturesOf(const OpenedModel& model, const EvaluationRequest& request,
                                EvaluationObserver& observer, const std::stop_token& stop)
{
    const FeatureJob job{.folder = request.data.root,
                         .layout = request.data.layout,
                         .trainingFolder = {},
                         .trainingLimit = trainedFeatures,
                         .readouts = {},
                         .evaluation = request};
    EvaluationProgress reached;
    const auto progress = [&](const Progress& step) {
        reached.done = step.done;
        reached.total = step.total;
        if (step.total > 0)
            observer.onProgress(reached);
    };
    const FeatureReport report = evaluateFeatures(model.classifier, job, observer, progress, stop);
    for (const std::string& note : report.notes)
        observer.onMessage(note);
    if (const auto& bad = report.trainingUnreadable; !bad.empty())
        observer.onMessage(attnscope::counted(std::ssize(bad), "training sample") + " could not be used, first "
                           + bad.front().path + ": " + bad.front().reason);
    const std::int64_t evaluation = report.headline().evaluation;
    const ResultStore store(request.store, ResultStore::Mode::Read);
    const StoredEvaluation stored = store.evaluation(evaluation);
    reached.unreadable = stored.unreadable;
    for (const StoredRun& run : stored.runs)
        reached.runs.push_back({store.accuracy(run.id), run.seconds, run.failure});
    observer.onProgress(reached);
    return evaluation;
}

}

EvaluationBackend coreEvaluation(const std::string& photos)
{
    EvaluationBackend backend;
    backend.look = [](const std::string& folder) { return scanEvaluation(folder, FolderLayout::Auto); };
    backend.open = [](const ModelRequest& request) { return coreWorkbench()->open(request); };
    backend.hasNoHead = hasNoHead;
    backend.scan = [](const EvaluationPlan& plan, const OpenedModel& model) {
        LabelledSet set = evaluationSet(plan.folder, parseFolderLayout(plan.layout),
                                        *labelledBy(model, plan.folder));
        if (hasNoHead(model))
            set.notes.push_back(
                model.summary.name
                + " has no head: nearest neighbours and a linear probe of its features are evaluated, trained on "
                + trainingFolderFor(plan.folder, {}));
        return set;
    };
    backend.noteOrigin = noteOrigin;
    backend.estimate = [](const OpenedModel& model, const EvaluationRequest& request, std::stop_token stop) {
        return estimate(*labelledBy(model, request.data.root), request, std::move(stop));
    };
    backend.evaluate = [](const OpenedModel& model, const EvaluationRequest& request, EvaluationObserver& observer,
                          std::stop_token stop) {
        const FreedMemoryReturn after;
        if (hasNoHead(model))
            return evaluateFeaturesOf(model, request, observer, stop);
        return evaluate(*model.classifier, request, observer, std::move(stop));
    };
    backend.writeDemo = [photos](const std::string& folder, const ProgressCallback& progress,
                                 std::stop_token stop) {
        return writeDemoScenes(photos, folder, demoAmount, progress, std::move(stop)) + "/val";
    };
    backend.image = sampleImages();
    backend.setThreads = [](std::int64_t threads) { setThreads(threads); };
    return backend;
}

}

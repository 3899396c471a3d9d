#include "ui/batch/evaluation_task.h"

#include "ui/gallery/thumbnails.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/evaluation_folder.h"
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
int64_t evaluateFeaturesOf(const OpenedModel& model, const EvaluationRequest& request,
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
    const int64_t evaluation = report.headline().evaluation;
    const ResultStore store(request.store, ResultStore::Mode::Read);
    const StoredEvaluation stored = store.evaluation(evaluation);
    reached.unreadable = stored.unreadable;
    for (const StoredRun& run : stored.runs)
        reached.runs.push_back({store.accuracy(run.id), run.seconds, run.failure});
    observer.onProgress(reached);
    return evaluation;
}

}

EvaluationRequest EvaluationBackend::requestOf(const EvaluationSetup& plan, const LabelledSet& data) const
{
    EvaluationRequest request;
    request.data = data;
    request.store = plan.store;
    request.resume = plan.resume;
    request.attention = plan.attention;
    request.seed = plan.seed;
    request.batch = plan.batch;
    request.limit = plan.limit;
    request.views = plan.views;
    if (!data.video)
        request.cache = plan.cache;
    request.cacheBytes = plan.cacheBytes;
    request.limits = plan.model.limits;
    if (noteOrigin)
        noteOrigin(request, plan.model);
    return request;
}

EvaluationCheck EvaluationBackend::check(const EvaluationSetup& plan, TaskTurn& turn) const
{
    const auto model = turn.models().open(plan.model);
    const auto data = std::make_shared<const LabelledSet>(scan(plan, *model));
    return {data, estimate(*model, requestOf(plan, *data), turn.stop()), model->summary.name, model->device,
            hasNoHead(*model)};
}

int64_t EvaluationBackend::run(const EvaluationJob& job, EvaluationObserver& observer, TaskTurn& turn) const
{
    const auto model = turn.models().open(job.plan.model);
    EvaluationRequest request = requestOf(job.plan, job.data ? *job.data : scan(job.plan, *model));
    request.command = job.command;
    const int64_t evaluation = evaluate(*model, request, observer, turn.stop());
    if (turn.isStopped())
        throw Cancelled();
    return evaluation;
}

EvaluationBackend coreEvaluation(const std::string& photos)
{
    EvaluationBackend backend;
    backend.look = [](const std::string& folder) { return scanEvaluation(folder, FolderLayout::Auto); };
    backend.scan = [](const EvaluationSetup& plan, const OpenedModel& model) {
        LabelledSet set = evaluationSet(plan.folder, parseFolderLayout(plan.layout),
                                        *labelledBy(model, plan.folder));
        if (hasNoHead(model))
            set.notes.push_back(
                model.summary.name
                + " has no head: nearest neighbours and a linear probe of its features are evaluated, trained on "
                + trainingFolderFor(plan.folder, {}));
        return set;
    };
    backend.noteOrigin = attnscope::noteOrigin;
    backend.estimate = [](const OpenedModel& model, const EvaluationRequest& request, std::stop_token stop) {
        return estimate(*labelledBy(model, request.data.root), request, std::move(stop));
    };
    backend.evaluate = [](const OpenedModel& model, const EvaluationRequest& request, EvaluationObserver& observer,
                          std::stop_token stop) {
        if (hasNoHead(model))
            return evaluateFeaturesOf(model, request, observer, stop);
        return evaluate(*model.classifier, request, observer, std::move(stop));
    };
    backend.writeDemo = demoScenes(photos, demoAmount);
    backend.image = sampleImages();
    return backend;
}

}

#include "ui/batch/evaluation_task.h"

#include "ui/gallery/thumbnails.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/evaluation_folder.h"
#include "models/evaluation_set.h"
#include "models/feature_evaluator.h"

#include <algorithm>
#include <utility>

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

EvaluationRequest EvaluationBackend::requestOf(const EvaluationSetup& plan, const ModelRequest& model,
                                               const LabelledSet& data) const
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
        noteOrigin(request, model);
    return request;
}

/// In the order of the plan's attentions. One that cannot be evaluated next to the first has a failure. `data`: of the first.
std::vector<EvaluationBackend::Columns> EvaluationBackend::networksOf(const EvaluationSetup& plan,
                                                                      const OpenedModel& first,
                                                                      const LabelledSet& data,
                                                                      TaskTurn& turn) const
{
    const auto isInFirst = [](const AttentionSpec& spec) { return spec == spec.inNetwork(); };
    if (std::ranges::all_of(plan.attention, isInFirst))
        return {{{first.classifier, requestOf(plan, plan.model, data)}, plan.attention}};
    const std::vector<ModelRequest> checkpoints = plan.networks();
    const auto open = [&](const ModelRequest& request) { return turn.models().open(request)->classifier; };
    const auto opened = turn.engine().workbench()->networks(checkpoints, plan.attention, open);
    std::vector<Columns> networks;
    const ComparedNetwork* last = nullptr;
    for (const AttentionSpec& spec : plan.attention) {
        const ComparedNetwork* network = networkOf(spec, opened);
        if (network == nullptr)
            throw UsageError(spec.canonical(), "the network that it names is not open");
        if (std::exchange(last, network) != network) {
            const ModelRequest model = requestFor(spec, checkpoints);
            Columns& added = networks.emplace_back(
                Columns{{network->classifier, requestOf(plan, model, data), model.weights, network->failure}, {}});
            added.network.request.attention.clear();
            try {
                if (added.network.failure.empty() && !isInFirst(spec))
                    takeData(plan, *turn.models().open(model), added.network);
            } catch (const Error& error) {
                added.network.failure = error.what();
            }
        }
        networks.back().attention.push_back(spec);
        networks.back().network.request.attention.push_back(spec.inNetwork());
    }
    return networks;
}

/// The labels of another network than the first, which the request has so far.
void EvaluationBackend::takeData(const EvaluationSetup& plan, const OpenedModel& model,
                                 NetworkRequest& network) const
{
    if (hasNoHead(model))
        throw Unsupported("", "it has no head, and features are evaluated in one network at a time",
                          "evaluate it alone");
    LabelledSet own = scan(plan, model);
    if (own.classes != network.request.data.classes || own.files != network.request.data.files)
        throw Unsupported("", "its classes are in another order than the first network's",
                          "evaluate it alone, or all with attnscope-cli evaluate");
    network.request.data = std::move(own);
}

EvaluationCheck EvaluationBackend::check(const EvaluationSetup& plan, TaskTurn& turn) const
{
    const auto model = turn.models().open(plan.model);
    EvaluationCheck check{.data = std::make_shared<const LabelledSet>(scan(plan, *model)),
                          .estimate = {},
                          .model = model->summary.name,
                          .device = model->device,
                          .features = hasNoHead(*model)};
    std::vector<NetworkRequest> networks;
    for (const auto& [network, attention] : networksOf(plan, *model, *check.data, turn)) {
        if (!network.failure.empty()) {
            check.leftOut.push_back(network.name + ": " + network.failure);
            continue;
        }
        networks.push_back(network);
        check.attention.insert(check.attention.end(), attention.begin(), attention.end());
    }
    if (networks.empty())
        throw Error("", check.leftOut.front());
    check.estimate = estimate(*model, networks, turn.stop());
    return check;
}

int64_t EvaluationBackend::run(const EvaluationJob& job, EvaluationObserver& observer, TaskTurn& turn) const
{
    const auto model = turn.models().open(job.plan.model);
    std::vector<NetworkRequest> networks;
    for (Columns& columns : networksOf(job.plan, *model, job.data ? *job.data : scan(job.plan, *model), turn)) {
        if (!columns.network.failure.empty())  // it could be evaluated when the folder was looked into
            throw Error("", columns.network.name + ": " + columns.network.failure);
        columns.network.request.command = job.command;
        networks.push_back(std::move(columns.network));
    }
    const int64_t evaluation = evaluate(*model, networks, observer, turn.stop());
    if (turn.isStopped())
        throw Cancelled();
    return evaluation;
}

EvaluationBackend coreEvaluation(const std::string& photos)
{
    EvaluationBackend backend;
    backend.look = [](const std::string& folder) { return scanEvaluation(folder, FolderLayout::Auto); };
    backend.scan = [](const EvaluationSetup& plan, const OpenedModel& model) {
        LabelledSet set = evaluationSet({plan.folder, parseFolderLayout(plan.layout), {}, plan.protocol},
                                        *labelledBy(model, plan.folder));
        if (hasNoHead(model))
            set.notes.push_back(
                model.summary.name
                + " has no head: nearest neighbours and a linear probe of its features are evaluated, trained on "
                + trainingFolderFor(plan.folder, {}));
        return set;
    };
    backend.noteOrigin = attnscope::noteOrigin;
    backend.estimate = [](const OpenedModel& model, std::vector<NetworkRequest> networks, std::stop_token stop) {
        if (hasNoHead(model))
            networks.front().classifier = labelledBy(model, networks.front().request.data.root);
        return estimate(networks, std::move(stop));
    };
    backend.evaluate = [](const OpenedModel& model, const std::vector<NetworkRequest>& networks,
                          EvaluationObserver& observer, std::stop_token stop) {
        if (hasNoHead(model))
            return evaluateFeaturesOf(model, networks.front().request, observer, stop);
        return evaluate(networks, observer, std::move(stop)).front().evaluation;
    };
    backend.writeDemo = demoScenes(photos, demoAmount);
    backend.image = sampleImages();
    return backend;
}

}

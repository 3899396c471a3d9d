#include "models/labelled_samples.h"

#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/sha256.h"
#include "core/checkpoint/state_dict.h"
#include "core/data/loading/batch_loader.h"
#include "core/data/loading/view_loader.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/evaluate/network_runs.h"
#include "core/evaluate/sample_readers.h"
#include "core/lab/neighbours/neighbours.h"
#include "core/lab/sample_batches.h"
#include "models/evaluation_set.h"

#include <utility>

namespace attnscope {

namespace {

EvaluationPlan planOf(const LabelledRequest& request, const Classifier& classifier, std::stop_token stop)
{
    EvaluationRequest evaluation;
    evaluation.data = evaluationSet({request.folder, parseFolderLayout(request.layout)}, classifier,
                                    request.labels);
    evaluation.attention = {AttentionSpec::native()};
    evaluation.limit = request.limit;
    evaluation.batch = request.batch;
    evaluation.workers = request.workers;
    evaluation.limits = request.limits;
    evaluation.reading = request.reading;
    evaluation.views = ViewGrid{1, 1};
    return planEvaluation(classifier, evaluation, std::move(stop));
}

using Pixels = BatchLoaderOf<uint8_t>;

Pixels::Plan imagesOf(const BatchPlan& plan)
{
    Pixels::Plan loader;
    for (const int64_t number : plan.batches)
        loader.batches.push_back(plan.samplesOf(number));
    loader.workers = plan.workers;
    loader.makeWriter = pixelWriters({plan.reading});
    return loader;
}

ViewLoader::Plan videosOf(const BatchPlan& plan)
{
    ViewLoader::Plan loader;
    for (int64_t sample = 0; sample < std::ssize(plan.reading.data->files); ++sample)
        loader.samples.push_back(sample);
    loader.workers = plan.workers;
    loader.makeOpener = videoOpeners(plan.reading);
    return loader;
}

}

struct LabelledReader::State {
    State(const LabelledRequest& request, const Classifier& network, std::stop_token stop)
        : classifier(network)
        , plan(planOf(request, network, std::move(stop)))
    {
        if (plan.data->video)
            videos.emplace(videosOf(plan.batches));
        else
            images.emplace(imagesOf(plan.batches));
    }

    std::optional<SampleBatch> nextImages(const std::stop_token& stop)
    {
        if (loaded)
            images->reuse(std::move(loaded->input));
        loaded = images->next(stop);
        if (!loaded)
            return std::nullopt;
        SampleBatch batch{.samples = loaded->samples};
        for (const auto& sample : loaded->unreadable)
            batch.unreadable.push_back({sample.sample, sample.reason});
        if (!batch.samples.empty())
            batch.input = pixelInput(classifier, loaded->input);
        return batch;
    }

    std::optional<SampleBatch> nextVideo(const std::stop_token& stop)
    {
        view = videos->next(stop);
        if (!view)
            return std::nullopt;
        SampleBatch batch;
        if (!view->reason.empty()) {
            batch.unreadable.push_back({view->sample, view->reason});
            return batch;
        }
        batch.samples.push_back(view->sample);
        batch.input = networkView(view->input, classifier);
        return batch;
    }

    const Classifier& classifier;
    EvaluationPlan plan;
    std::optional<Pixels> images;
    std::optional<ViewLoader> videos;
    std::optional<LoadedBatchOf<uint8_t>> loaded;  // what the network reads at the moment
    std::optional<LoadedView> view;
};

LabelledReader::LabelledReader(const LabelledRequest& request, const Classifier& classifier, std::stop_token stop)
    : m_state(std::make_unique<State>(request, classifier, std::move(stop)))
{}

LabelledReader::~LabelledReader() = default;

LabelledSamples LabelledReader::samples()
{
    State& state = *m_state;
    return {*state.plan.data, [&state](const std::stop_token& stop) {
                return state.plan.data->video ? state.nextVideo(stop) : state.nextImages(stop);
            }};
}

ExitReport measureExits(const Classifier& classifier, const LabelledRequest& samples, const ExitRequest& request,
                        const ProgressCallback& progress, const std::stop_token& stop)
{
    LabelledReader reader(samples, classifier, stop);
    return measureExits(classifier, reader.samples(), request, progress, stop);
}

FeatureNetwork featureNetwork(const Classifier& classifier, const ModelRequest& model,
                              const AttentionSpec& attention, uint64_t seed)
{
    EvaluationRequest origin;
    noteOrigin(origin, model);
    FeatureNetwork network{
        .classifier = classifier, .attention = attention, .seed = seed, .weightsHash = {}, .description = {}};
    network.weightsHash = origin.weightsFile.empty()
                              ? sha256(classifier.describe().weightsSource + "\n" + origin.modelDescription)
                              : checkpointHash(origin.weightsFile);
    network.description = sha256(origin.modelDescription);
    return network;
}

}

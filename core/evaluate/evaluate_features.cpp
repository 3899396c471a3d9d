#include "core/evaluate/evaluate_features.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/device/torch_problem.h"
#include "core/evaluate/feature_readouts.h"
#include "core/evaluate/network_runs.h"
#include "core/evaluate/sample_predictions.h"
#include "core/evaluate/store_writer.h"
#include "core/run/features/token_features.h"
#include "core/run/observers.h"
#include "core/store/data_identity.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

namespace {

constexpr const char* notFiniteFeatures = "some features are not finite; these samples count as wrong";

/// Features (B,C) of a batch in float32 on the CPU.
at::Tensor featuresOf(const Classifier& network, PreparedAttention& prepared, const NetworkInput& input,
                      FeatureKind kind, const std::stop_token& stop)
{
    prepared.drawFor(input.samples);
    return readFeatures(network, prepared, input.values, stop).of(kind).to(at::kCPU, at::kFloat).contiguous();
}

/// The features of a whole set. What can't be read, or is not finite, is listed.
LabelledFeatures trainingFeatures(const Classifier& network, PreparedAttention& exact, FeatureKind kind,
                                  const LabelledSamples& samples, std::vector<UnreadableInput>& unreadable,
                                  const ProgressCallback& progress, const std::stop_token& stop)
{
    LabelledFeatures all{.classes = std::ssize(samples.data.classes)};
    std::vector<at::Tensor> parts;
    int64_t done = 0;
    while (auto batch = samples.next(stop)) {
        for (const auto& sample : batch->unreadable)
            unreadable.push_back({samples.file(sample.sample).path, sample.reason});
        done += std::ssize(batch->samples) + std::ssize(batch->unreadable);
        progress({"training features", done, std::ssize(samples.data.files)});
        if (batch->samples.empty())
            continue;
        const at::Tensor features = featuresOf(network, exact, batch->input, kind, stop);
        const at::Tensor finite = at::isfinite(features).all(1).contiguous();
        parts.push_back(features.index({finite}));
        for (size_t i = 0; i < batch->samples.size(); ++i) {
            const LabelledFile& file = samples.file(batch->samples[i]);
            if (finite.const_data_ptr<bool>()[i])
                all.labels.push_back(file.label);
            else
                unreadable.push_back({file.path, "its features are not finite; choose another network"});
        }
    }
    if (all.labels.empty())
        throw FileError(samples.data.root, "no training sample could be read",
                        "give another folder with --train-folder");
    all.features = at::cat(parts);
    return all;
}

/// What identifies an evaluation besides what others have.
EvaluationSettings settingsOf(EvaluationSettings settings, const FeatureReadout& readout, FeatureKind kind,
                              const LabelledSet& training)
{
    Json description = Json::parse(settings.modelDescription, nullptr, false);
    if (!description.is_object())
        description = Json::object();
    description["features"] = toText(kind);
    description["neighbours"] = readout.k;
    description["training_data"] = dataHash(training);
    settings.modelDescription = description.dump(-1, ' ', false, Json::error_handler_t::replace);
    settings.model += " · " + toText(readout);
    settings.notes.push_back(toText(readout) + " of " + describe(kind)
                             + "; training features are exact attention's, of "
                             + counted(std::ssize(training.files), "sample"));
    return settings;
}

/// The attentions of an evaluation, and its places in the store.
class FeatureRuns {
public:
    FeatureRuns(const Classifier& network, const EvaluationRequest& request, EvaluationObserver& observer,
                std::stop_token stop)
        : m_network(network)
        , m_observer(observer)
        , m_file(request.store)
        , m_stop(std::move(stop))
    {
        for (const AttentionSpec& spec : request.attention)
            m_prepared.push_back(network.prepare(spec, request.seed));
        m_failures.resize(m_prepared.size());
        m_fallbacks.resize(m_prepared.size());
    }

    /// Finds or creates the evaluation of a readout.
    int64_t begin(const EvaluationSettings& settings, const LabelledSet& data, bool resume)
    {
        std::vector<StoredRun> runs;
        for (const PreparedAttention& prepared : m_prepared)
            runs.push_back(unmeasuredRun(prepared));
        Place& place = m_places.emplace_back();
        place.store = std::make_unique<StoreWriter>(m_file, m_observer, m_stop);
        place.store->with([&](ResultStore& store) {
            if (resume)
                store.requireNothingSimilar(settings, data, runs);
            place.evaluation = store.begin(settings, data, runs, resume);
            place.finished = store.finishedBatches(place.evaluation);
            const StoredEvaluation stored = store.evaluation(place.evaluation);
            place.closed = stored.state == EvaluationState::Finished;
            m_done = stored.done;
            for (const StoredRun& wanted : runs) {
                const auto own = std::ranges::find(stored.runs, wanted.attention, &StoredRun::attention);
                if (own == stored.runs.end())
                    throw StoreError(m_network.describe().name,
                                     "the store lost the attention " + wanted.attention);
                place.runs.push_back(*own);
                std::string& failure = m_failures[place.runs.size() - 1];
                failure = failure.empty() ? own->failure : failure;
            }
        });
        if (!place.closed)
            place.store->keepAlive(place.evaluation);
        return place.evaluation;
    }

    /// Samples that were found in the store.
    int64_t done() const { return m_done; }

    bool has(int64_t batch) const
    {
        return std::ranges::all_of(
            m_places, [&](const Place& place) { return std::ranges::binary_search(place.finished, batch); });
    }

    /// Predicts a batch and stores what is not there yet.
    void add(int64_t number, const SampleBatch& read, const LabelledSamples& samples,
             const FeatureReadouts& readouts, FeatureKind kind, const std::stop_token& stop)
    {
        FinishedBatch batch{
            .number = number, .samples = read.samples, .predictions = {}, .unreadable = {}, .seconds = {}};
        for (const auto& sample : read.unreadable)
            batch.unreadable.push_back({sample.sample, sample.reason});
        std::vector<int64_t> labels;
        for (const int64_t sample : read.samples)
            labels.push_back(samples.file(sample).label);
        std::vector<std::vector<std::vector<SamplePrediction>>> predictions(
            m_places.size());  // [readout][attention][sample]
        for (size_t run = 0; run < m_prepared.size(); ++run) {
            double seconds = 0;
            auto own = predict(run, read, labels, readouts, kind, seconds, stop);
            batch.seconds.push_back(seconds);
            for (size_t readout = 0; readout < m_places.size(); ++readout)
                predictions[readout].push_back(std::move(own[readout]));
        }
        for (size_t readout = 0; readout < m_places.size(); ++readout) {
            const Place& place = m_places[readout];
            if (std::ranges::binary_search(place.finished, number))
                continue;
            batch.predictions = std::move(predictions[readout]);
            place.store->with([&](ResultStore& store) { store.add(place.evaluation, batch); });
        }
        for (const auto& sample : batch.unreadable)
            m_observer.onUnreadable({sample.sample, samples.file(sample.sample).path, sample.reason});
    }

    /// Notes and failures, and the state.
    void close(EvaluationState state)
    {
        for (Place& place : m_places) {
            if (place.closed)
                continue;
            place.store->with([&](ResultStore& store) {
                for (size_t run = 0; run < place.runs.size(); ++run) {
                    place.runs[run].failure = m_failures[run];
                    if (m_notFinite.contains(run)
                        && std::ranges::find(place.runs[run].notes, notFiniteFeatures)
                               == place.runs[run].notes.end())
                        place.runs[run].notes.emplace_back(notFiniteFeatures);
                    m_fallbacks[run].addTo(place.runs[run].notes);
                    store.setMeasurements(place.runs[run].id, place.runs[run]);
                }
                store.setState(place.evaluation, state);
            });
        }
    }

private:
    /// An evaluation of the store, and its connection: each owns one.
    struct Place {
        std::unique_ptr<StoreWriter> store;
        int64_t evaluation = 0;
        std::vector<int64_t> finished;  // batches
        std::vector<StoredRun> runs;
        bool closed = false;  // by an earlier command
    };

    /// By readout; nothing from an attention that failed.
    std::vector<std::vector<SamplePrediction>> predict(size_t run, const SampleBatch& read,
                                                       const std::vector<int64_t>& labels,
                                                       const FeatureReadouts& readouts, FeatureKind kind,
                                                       double& seconds, const std::stop_token& stop)
    {
        std::vector<std::vector<SamplePrediction>> nothing(m_places.size());
        std::string& failure = m_failures[run];
        if (!failure.empty() || read.samples.empty())
            return nothing;
        at::Tensor features;
        PreparedAttention& prepared = m_prepared[run];
        failure = failureOf(prepared.requested.canonical(),
                            "choose a smaller batch, or an attention with linear memory", [&] {
                                const auto begin = std::chrono::steady_clock::now();
                                const CountFallbacks counting(m_fallbacks[run]);
                                features = featuresOf(m_network, prepared, read.input, kind, stop);
                                seconds = secondsSince(begin);
                            });
        if (!failure.empty()) {
            m_observer.onMessage(failure + " The other attentions continue.");
            if (std::ranges::none_of(m_failures, [](const std::string& one) { return one.empty(); }))
                throw Error("", "no attention could continue: " + m_failures.front());
            return nothing;
        }
        if (!at::isfinite(features).all().item<bool>())
            m_notFinite.insert(run);
        return readouts.predict(features, labels, stop);
    }

    const Classifier& m_network;
    EvaluationObserver& m_observer;
    std::filesystem::path m_file;
    std::stop_token m_stop;
    std::vector<PreparedAttention> m_prepared;
    std::vector<std::string> m_failures;
    std::set<size_t> m_notFinite;
    std::vector<FallbackTally> m_fallbacks;
    std::vector<Place> m_places;
    int64_t m_done = 0;
};

void evaluateBatches(FeatureRuns& runs, const LabelledSamples& samples, const FeatureReadouts& readouts,
                     FeatureKind kind, const ProgressCallback& progress, const std::stop_token& stop)
{
    int64_t done = 0;
    for (int64_t number = 0; const auto batch = samples.next(stop); ++number) {
        if (!runs.has(number))
            runs.add(number, *batch, samples, readouts, kind, stop);
        done += std::ssize(batch->samples) + std::ssize(batch->unreadable);
        progress({"samples", done, std::ssize(samples.data.files)});
    }
}

}

FeatureReport evaluateFeatures(const Classifier& network, const FeatureSets& sets,
                               const EvaluationSettings& settings, const EvaluationRequest& request,
                               const FeatureReadoutRequest& wanted, EvaluationObserver& observer,
                               const ProgressCallback& progress, std::stop_token stop)
{
    const c10::InferenceMode guard;
    requireFeatures(network, wanted.kind);
    FeatureRuns runs(network, request, observer, stop);
    PreparedAttention exact = network.prepare(network.prepare(AttentionSpec::native(), request.seed).exact,
                                              request.seed);
    const LabelledSet& training = sets.training.data;
    FeatureReport report{.kind = wanted.kind,
                         .exact = exact.resolved.canonical(),
                         .exactMeaning = exact.exactMeaning,
                         .trainingFolder = training.root,
                         .classes = std::ssize(training.classes)};
    LabelledFeatures features = trainingFeatures(network, exact, wanted.kind, sets.training,
                                                 report.trainingUnreadable, progress, stop);
    report.width = features.features.size(1);
    report.trainingSamples = features.features.size(0);
    progress({wanted.probe ? "training of the linear probe" : "index", 0, 0});
    const FeatureReadouts readouts(std::move(features), wanted, stop);
    report.probe = readouts.probe();
    if (report.probe && !report.probe->converged)
        report.notes.emplace_back("the linear probe did not reach its minimum");
    if (training.root == sets.evaluated.data.root)
        report.notes.emplace_back(
            "the training folder is the one that is evaluated, so this is not a held-out test");
    for (const FeatureReadout& readout : readouts.all())
        report.evaluations.push_back({readout, runs.begin(settingsOf(settings, readout, wanted.kind, training),
                                                          sets.evaluated.data, request.resume)});
    observer.onStart(report.headline().evaluation,
                     {.done = runs.done(), .total = std::ssize(sets.evaluated.data.files)});
    try {
        evaluateBatches(runs, sets.evaluated, readouts, wanted.kind, progress, stop);
    } catch (const Cancelled&) {
        runs.close(EvaluationState::Paused);
        throw;
    }
    runs.close(EvaluationState::Finished);
    return report;
}

}

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/run/observers.h"
#include "core/store/data_identity.h"
#include "core/store/result_store.h"
#include "core/store/store_json.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

namespace attnscope {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int64_t looked = 20;
/// A larger batch takes about as long per sample.
constexpr int64_t maxTimed = 32;

/// Per prediction and per sample in the store, with its index: measured on stores of 10,000 samples, rounded up.
constexpr int64_t rowBytes = 32, predictionBytes = 96, sampleBytes = 128, emptyStoreBytes = 1 << 17;

/// The inputs of some samples, spread over the set, and how long reading them takes.
struct Probe {
    std::vector<FloatArray> inputs;
    double secondsPerSample = 0;  ///< of one thread
};

/// All views are created, as in an evaluation; the middle one is kept.
FloatArray readVideo(const ViewOpener& open, int64_t sample, const std::stop_token& stop)
{
    const OpenedViews views = open(sample);
    FloatArray middle;
    for (size_t view = 0; view < views.count; ++view) {
        checkStop(stop);
        FloatArray made = views.view(view);
        if (view == views.count / 2)
            middle = std::move(made);
    }
    return middle;
}

Probe probed(const EvaluationPlan& plan, EvaluationEstimate& estimate, const std::stop_token& stop)
{
    const LabelledSet& data = *plan.data;
    const SampleLoader load = data.video ? SampleLoader() : imageLoaders(plan.batches.reading)();
    const ViewOpener open = data.video ? videoOpeners(plan.batches.reading)() : ViewOpener();
    const int64_t count = std::ssize(data.files), requested = std::min(data.video ? 2 : looked, count);
    Probe probe;
    double seconds = 0;
    for (int64_t i = 0; i < requested; ++i) {
        checkStop(stop);
        const int64_t sample = i * count / requested;
        const auto begin = Clock::now();
        try {
            probe.inputs.push_back(data.video ? readVideo(open, sample, stop) : load(sample, 0));
            if (probe.inputs.size() > 1 || data.video)
                seconds += secondsSince(begin);  // the first image waits for its decoder to start
        } catch (const FileError& error) {
            estimate.unreadable.push_back(printable(data.files[size_t(sample)].path) + ": " + error.reason());
        }
    }
    const size_t timed = probe.inputs.size() - (data.video || probe.inputs.empty() ? 0 : 1);
    probe.secondsPerSample = timed > 0 ? seconds / double(timed) : 0;
    return probe;
}

/// A whole batch of the available inputs, repeated.
FloatArray batchOf(const std::vector<FloatArray>& inputs, int64_t size)
{
    FloatArray batch = inputs.front();
    batch.shape.insert(batch.shape.begin(), size);
    for (int64_t i = 1; i < size; ++i) {
        const auto& next = inputs[size_t(i) % inputs.size()].values;
        batch.values.insert(batch.values.end(), next.begin(), next.end());
    }
    return batch;
}

/// Seconds per sample of the second call: the first fills caches. Negative: it failed.
double timeOf(NetworkRuns& runs, size_t run, const NetworkInput& input, const std::stop_token& stop)
{
    for (int turn = 0; turn < 2; ++turn) {
        runs.takeSeconds(run);
        if (!runs.logits(run, input, stop))
            return -1;
    }
    return runs.takeSeconds(run) / double(input.values.size(0));
}

/// Throws UsageError where an evaluation with --resume would: nothing there is this one, and another is nearly it.
int64_t samplesStored(const EvaluationPlan& plan, const EvaluationRequest& request, const NetworkRuns& network)
{
    std::error_code unknown;
    if (!request.resume || !fs::is_regular_file(request.store, unknown))
        return 0;
    const ResultStore store(request.store, ResultStore::Mode::Read);
    std::vector<StoredRun> runs;
    for (size_t run = 0; run < network.count(); ++run)
        runs.push_back(unmeasuredRun(network.prepared(run)));
    store.requireNothingSimilar(plan.settings, *plan.data, runs);
    const std::string hash = dataHash(*plan.data);
    int64_t done = 0;
    for (const StoredEvaluation& stored : store.evaluations()) {
        if (stored.dataHash != hash || identityOf(stored.settings, true) != identityOf(plan.settings, true))
            continue;
        if (std::ranges::equal(
                stored.runs, request.attention,
                [](const StoredRun& run, const AttentionSpec& spec) { return run.attention == spec.canonical(); }))
            done = std::max(done, stored.done);
    }
    return done;
}

/// Where the store is, or will be.
int64_t freeBytesAt(const fs::path& store)
{
    std::error_code problem;
    fs::path folder = fs::absolute(store, problem).parent_path();
    while (!folder.empty() && !fs::exists(folder, problem) && folder != folder.parent_path())
        folder = folder.parent_path();
    const fs::space_info space = fs::space(folder, problem);
    return problem ? -1 : int64_t(space.available);
}

void addNotes(const Classifier& classifier, const EvaluationPlan& plan, EvaluationEstimate& estimate)
{
    estimate.notes.insert(estimate.notes.end(), plan.data->notes.begin(), plan.data->notes.end());
    if (classifier.describe().weights == WeightsKind::Untrained)
        estimate.notes.emplace_back("the weights are random, so accuracy will be at chance level");
    if (estimate.freeBytes >= 0 && estimate.storeBytes > estimate.freeBytes)
        estimate.notes.push_back("the results need " + std::to_string((estimate.storeBytes >> 20) + 1)
                                 + " MiB, but only " + std::to_string(estimate.freeBytes >> 20)
                                 + " MiB are free on the store's disk");
}

}

EvaluationEstimate estimate(const Classifier& classifier, const EvaluationRequest& request, std::stop_token stop)
{
    const c10::InferenceMode guard;
    const EvaluationPlan plan = planEvaluation(classifier, request, stop);
    NetworkRuns runs(classifier, request.attention, request.seed);
    EvaluationEstimate estimate;
    estimate.samples = plan.samples();
    estimate.done = samplesStored(plan, request, runs);
    const int64_t logitBytes = plan.batches.keepsLogits ? rowBytes + int64_t(sizeof(float)) * plan.batches.classes
                                                        : 0;
    estimate.storeBytes = emptyStoreBytes
                          + estimate.samples
                                * (sampleBytes + (predictionBytes + logitBytes) * std::ssize(request.attention));
    estimate.freeBytes = freeBytesAt(request.store);
    estimate.secondsOfAttention.resize(request.attention.size());
    const Probe probe = probed(plan, estimate, stop);
    if (!probe.inputs.empty()) {
        FloatArray batch = batchOf(probe.inputs, plan.data->video
                                                     ? plan.viewsAtOnce
                                                     : std::min({plan.batches.batch, maxTimed, estimate.samples}));
        const NetworkInput input{networkView(batch, classifier).values.squeeze(0),
                                 sampleIdentities(batch, classifier.transform())};
        for (size_t run = 0; run < runs.count(); ++run) {
            const double seconds = timeOf(runs, run, input, stop) * double(plan.batches.views);
            if (seconds < 0)
                estimate.notes.push_back(runs.failure(run));
            else
                estimate.secondsOfAttention[run] = seconds * double(estimate.samples);
            estimate.secondsPerSample += std::max(seconds, 0.0);
        }
        // On a CPU readers compete with the network for cores; with a GPU they only have to keep up.
        const double reading = probe.secondsPerSample / double(plan.batches.workers);
        estimate.secondsPerSample = classifier.device().is_cpu() ? estimate.secondsPerSample + reading
                                                                 : std::max(estimate.secondsPerSample, reading);
    }
    addNotes(classifier, plan, estimate);
    return estimate;
}

EvaluationEstimate estimate(const std::vector<NetworkRequest>& networks, std::stop_token stop)
{
    std::optional<EvaluationEstimate> all;
    for (const NetworkRequest& network : networks) {
        if (!network.failure.empty())
            continue;
        EvaluationEstimate own = estimate(*network.classifier, network.request, stop);
        if (!all) {
            all = std::move(own);
            continue;
        }
        all->done = std::min(all->done, own.done);
        for (const double seconds : own.secondsOfAttention) {  // without reading, which is done once
            all->secondsOfAttention.push_back(seconds);
            all->secondsPerSample += seconds / double(std::max<int64_t>(own.samples, 1));
        }
        all->storeBytes += own.storeBytes - emptyStoreBytes;
        for (const std::string& note : own.notes)
            if (std::ranges::find(all->notes, note) == all->notes.end())
                all->notes.push_back(note);
    }
    for (const NetworkRequest& network : networks) {
        if (!all)
            throw Error("", network.failure);
        if (!network.failure.empty())
            all->notes.push_back(network.name + ": " + network.failure);
    }
    return std::move(*all);
}

}

#include "core/run/compare.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/device/torch_problem.h"
#include "core/run/features/token_features.h"
#include "core/run/input_run.h"

#include <algorithm>

namespace attnscope {

namespace {

struct OpenedInput {
    InputRecord record;
    std::vector<InputViews> views;  // as each network takes them
};

/// An image is not a video of one frame: the predictions of a video network would be meaningless.
void requireFrames(const Clip& clip, const Classifier& classifier)
{
    const ModelSummary& model = classifier.describe();
    if (model.input.size() == 4 && clip.frames == 1)
        throw UsageError(
            "", "it is an image, but " + model.name + " takes clips of " + counted(model.input[1], "frame"),
            "give a video, a folder of numbered frames, or a safetensors file with a preprocessed clip `input` "
            "(3,frames,height,width)");
}

InputViews single(NetworkInput input)
{
    return {.load = [input = std::move(input)](size_t) { return input; }};
}

/// The views of what was loaded for the first network, for this one.
InputViews viewsFor(const Classifier& classifier, bool isFirst, const InputSource& source,
                    const LoadedInput& loaded, int64_t measured)
{
    if (const auto* array = std::get_if<FloatArray>(&loaded))
        return single(networkInput(*array, classifier));
    if (const auto* clip = std::get_if<Clip>(&loaded)) {
        requireFrames(*clip, classifier);
        return single(networkInput(*clip, classifier));
    }
    const VideoViews video = isFirst || !source.views ? std::get<VideoViews>(loaded) : source.views(classifier);
    return {video.views.size(), size_t(measured),
            [video, &classifier](size_t view) { return networkInput(video.view(view), classifier); }};
}

std::string measuredNote(const ViewPlan& view)
{
    return "latency, memory and error are for one forward pass, on clip " + std::to_string(view.clip + 1)
           + ", crop " + std::to_string(view.crop + 1);
}

void describe(const Clip& clip, InputRecord& record)
{
    record.width = clip.width;
    record.height = clip.height;
    record.notes = clip.notes;
}

void describe(const VideoViews& video, bool isMeasured, InputRecord& record)
{
    record.kind = "video";
    record.width = video.width;
    record.height = video.height;
    record.rate = video.rate;
    record.seconds = video.seconds;
    record.sampling = video.sampling;
    record.grid = video.grid;
    record.views = video.views;
    record.notes = video.notes;
    record.measuredView = video.grid.clips / 2 * video.grid.crops + video.grid.crops / 2;
    if (isMeasured && video.views.size() > 1)
        record.notes.push_back(measuredNote(video.views.at(size_t(record.measuredView))));
}

OpenedInput open(const InputSource& source, const std::vector<ComparedNetwork>& networks,
                 const RunRequest& request)
{
    OpenedInput opened;
    opened.record.path = source.path;
    opened.record.kind = source.kind;
    const LoadedInput loaded = source.load();
    if (const auto* video = std::get_if<VideoViews>(&loaded))
        describe(*video, request.latency || request.memory || request.error, opened.record);
    else if (const auto* clip = std::get_if<Clip>(&loaded))
        describe(*clip, opened.record);
    for (const ComparedNetwork& network : networks) {
        const bool isFirst = &network == &networks.front();
        InputViews& views = opened.views.emplace_back();
        if (network.classifier == nullptr) {
            views.failure = network.failure;
            continue;
        }
        try {
            views = viewsFor(*network.classifier, isFirst, source, loaded, opened.record.measuredView);
        } catch (const Error& error) {
            if (isFirst)
                throw;
            views.failure = error.reason();
        }
    }
    return opened;
}

void addEmptyRuns(const RunRequest& request, InputRecord& record)
{
    for (const AttentionSpec& spec : request.attention) {
        RunRecord& run = record.runs.emplace_back();
        run.attention = run.resolved = spec.canonical();
        run.backend = spec.backend();
    }
}

}

const ComparedNetwork* networkOf(const AttentionSpec& column, const std::vector<ComparedNetwork>& networks)
{
    const auto own = std::ranges::find_if(networks, [&](const ComparedNetwork& network) {
        return network.checkpoint == column.checkpoint() && network.dtype == column.dtype();
    });
    return own == networks.end() ? nullptr : &*own;
}

std::vector<ComparedNetwork> onlyNetwork(const Classifier& classifier)
{
    return {{.classifier = {std::shared_ptr<void>(), &classifier},
             .source = {.path = classifier.describe().weightsSource}}};
}

std::array<RunStage, 4> stageOrder(const RunRequest& request, const ModelSummary& model)
{
    using enum RunStage;
    return request.features || model.classes == 0 ? std::array{Predict, Error, Latency, Memory}
                                                  : std::array{Predict, Latency, Memory, Error};
}

RunReport beginReport(const Classifier& classifier, const RunRequest& request)
{
    RunReport report;
    report.model = classifier.describe();
    report.device = summarise(classifier.device().str());
    report.environment = environment();
    report.dtype = dtypeName(classifier.dtype());
    report.seed = request.seed;
    report.transform = classifier.transform().name();
    return report;
}

RunReport beginReport(const std::vector<ComparedNetwork>& networks, const RunRequest& request)
{
    RunReport report = beginReport(*networks.front().classifier, request);
    for (const ComparedNetwork& network : networks)
        if (&network != &networks.front() && network.classifier != nullptr)
            report.others.push_back({network.checkpoint, network.dtype, network.classifier->describe()});
    return report;
}

RunReport run(const std::vector<ComparedNetwork>& networks, const std::vector<InputSource>& inputs,
              const RunRequest& requested, RunObserver& observer, std::stop_token stop)
{
    if (requested.attention.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    const Classifier& first = *networks.front().classifier;
    const c10::InferenceMode guard;
    RunRequest request = requested;
    if (!request.features && first.describe().classes == 0)
        request.features = FeatureKind::Pooled;
    if (request.features)
        requireFeatures(first, *request.features);
    // Options that do not fit the model fit none of the inputs: report that before any is opened.
    if (networks.size() == 1)
        for (const AttentionSpec& spec : request.attention)
            first.prepare(spec.inNetwork(), request.seed);
    RunReport report = beginReport(networks, request);
    for (size_t index = 0; index < inputs.size(); ++index) {
        const InputSource& source = inputs[index];
        checkStop(stop);
        try {
            guardInput(source.path, [&] {
                OpenedInput opened = open(source, networks, request);
                addEmptyRuns(request, opened.record);
                observer.onInput(index, opened.record);
                InputRun(networks, request, observer, stop, index).measure(opened.views, opened.record);
                report.inputs.push_back(std::move(opened.record));
            });
        } catch (const Error& error) {
            report.unreadable.push_back({source.path, error.reason()});
            observer.onUnreadable(index, report.unreadable.back());
        }
    }
    return report;
}

RunReport run(const Classifier& classifier, const std::vector<InputSource>& inputs, const RunRequest& request,
              RunObserver& observer, std::stop_token stop)
{
    return run(onlyNetwork(classifier), inputs, request, observer, std::move(stop));
}

}

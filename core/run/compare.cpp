#include "core/run/compare.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/device/torch_problem.h"
#include "core/run/features/token_features.h"
#include "core/run/input_run.h"

namespace attnscope {

namespace {

struct OpenedInput {
    InputRecord record;
    InputViews views;
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

void openClip(const Clip& clip, const Classifier& classifier, OpenedInput& opened)
{
    requireFrames(clip, classifier);
    opened.record.width = clip.width;
    opened.record.height = clip.height;
    opened.record.notes = clip.notes;
    opened.views.load = [input = networkInput(clip, classifier)](size_t) { return input; };
}

void openArray(const FloatArray& array, const Classifier& classifier, OpenedInput& opened)
{
    opened.views.load = [input = networkInput(array, classifier)](size_t) { return input; };
}

std::string measuredNote(const ViewPlan& view)
{
    return "latency, memory and error are for one forward pass, on clip " + std::to_string(view.clip + 1)
           + ", crop " + std::to_string(view.crop + 1);
}

void openVideo(const VideoViews& video, const Classifier& classifier, const RunRequest& request,
               OpenedInput& opened)
{
    InputRecord& record = opened.record;
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
    const bool measured = request.latency || request.memory || request.error;
    if (measured && video.views.size() > 1)
        record.notes.push_back(measuredNote(video.views.at(size_t(record.measuredView))));
    opened.views.count = video.views.size();
    opened.views.measured = size_t(record.measuredView);
    opened.views.load = [video, &classifier](size_t view) { return networkInput(video.view(view), classifier); };
}

OpenedInput open(const InputSource& source, const Classifier& classifier, const RunRequest& request)
{
    OpenedInput opened;
    opened.record.path = source.path;
    opened.record.kind = source.kind;
    const LoadedInput loaded = source.load();
    if (const auto* array = std::get_if<FloatArray>(&loaded))
        openArray(*array, classifier, opened);
    else if (const auto* video = std::get_if<VideoViews>(&loaded))
        openVideo(*video, classifier, request, opened);
    else
        openClip(std::get<Clip>(loaded), classifier, opened);
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

RunReport run(const Classifier& classifier, const std::vector<InputSource>& inputs, const RunRequest& requested,
              RunObserver& observer, std::stop_token stop)
{
    if (requested.attention.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    const c10::InferenceMode guard;
    RunRequest request = requested;
    if (!request.features && classifier.describe().classes == 0)
        request.features = FeatureKind::Pooled;
    if (request.features)
        requireFeatures(classifier, *request.features);
    // Options that do not fit the model fit none of the inputs: report that before any is opened.
    for (const AttentionSpec& spec : request.attention)
        classifier.prepare(spec, request.seed);
    RunReport report = beginReport(classifier, request);
    for (size_t index = 0; index < inputs.size(); ++index) {
        const InputSource& source = inputs[index];
        checkStop(stop);
        try {
            guardInput(source.path, [&] {
                OpenedInput opened = open(source, classifier, request);
                addEmptyRuns(request, opened.record);
                observer.onInput(index, opened.record);
                InputRun(classifier, request, observer, stop, index).measure(opened.views, opened.record);
                report.inputs.push_back(std::move(opened.record));
            });
        } catch (const Error& error) {
            report.unreadable.push_back({source.path, error.reason()});
            observer.onUnreadable(index, report.unreadable.back());
        }
    }
    return report;
}

}

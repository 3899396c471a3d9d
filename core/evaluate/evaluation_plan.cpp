#include "core/evaluate/evaluation_plan.h"

#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/checkpoint/checkpoint_parts.h"
#include "core/checkpoint/sha256.h"
#include "core/device/device.h"
#include "core/device/dtype.h"
#include "core/run/compare.h"
#include "core/run/view_request.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace attnscope {

namespace {

/// Of images. A GPU needs more of them to be busy.
int64_t defaultBatch(const at::Device& device)
{
    return device.is_cuda() ? 256 : 32;
}

/// Each holds the frames of a video.
constexpr int64_t maxVideoWorkers = 4;

/// Every n-th file, so that each class keeps its proportion.
std::shared_ptr<const LabelledSet> within(const LabelledSet& data, int64_t limit)
{
    auto kept = std::make_shared<LabelledSet>(data);
    const int64_t count = std::ssize(data.files);
    if (limit <= 0 || limit >= count)
        return kept;
    kept->files.clear();
    for (int64_t i = 0; i < limit; ++i)
        kept->files.push_back(data.files[size_t(i * count / limit)]);
    return kept;
}

void checkAttention(const std::vector<AttentionSpec>& attention)
{
    if (attention.empty())
        throw UsageError("", "no attention was specified", "give at least one with --attention");
    std::set<std::string> seen;
    for (const AttentionSpec& spec : attention)
        if (!seen.insert(spec.canonical()).second)
            throw UsageError(spec.canonical(), "this attention is given twice", "give each only once");
}

/// Those among which an evaluation predicts: the pairs of two heads' classes.
int64_t classesOf(const ModelSummary& model, const LabelledSet& data)
{
    return data.heads.empty() ? model.classes : data.heads[0] * data.heads[1];
}

void checkLabels(const ModelSummary& model, const LabelledSet& data)
{
    if (data.files.empty())
        throw UsageError(data.root, "it contains no samples");
    if (model.classifierHeads != data.heads && data.heads.empty())
        throw Unsupported(model.name, "it predicts two classes of a sample, such as a verb and a noun",
                          "evaluate it with --protocol epic100, or choose a model with one head");
    if (model.classifierHeads != data.heads)
        throw Unsupported(model.name,
                          "it does not have two heads, for " + counted(data.heads[0], "verb") + " and "
                              + counted(data.heads[1], "noun"),
                          "choose a network for this data set");
    if (model.input.size() == 4 && !data.video)
        throw UsageError(data.root,
                         "it contains images, but " + model.name + " takes clips of "
                             + counted(model.input[1], "frame"),
                         "give a folder of videos, or an image model");
    for (const LabelledFile& file : data.files)
        if (file.label < 0 || file.label >= classesOf(model, data))
            throw UsageError(file.path,
                             "its class is number " + std::to_string(file.label) + ", and " + model.name + " has "
                                 + counted(model.classes, "class", "classes"),
                             "class numbers start at 0");
}

void checkCache(const EvaluationRequest& request)
{
    if (request.data.video && !request.cache.empty())
        throw UsageError("--cache", "only images can be cached, but " + request.data.root + " contains videos",
                         "leave out --cache");
}

void checkNumbers(const EvaluationRequest& request)
{
    const auto refuse = [](const std::string& option, const std::string& right) {
        throw UsageError(option, "out of range", right);
    };
    if (request.shard.count < 1 || request.shard.index < 1 || request.shard.index > request.shard.count)
        refuse("--shard", "give I/N with 1 ≤ I ≤ N");
    if (request.batch < 0 || request.batch > 65536)
        refuse("--batch-size", "give 1 to 65536, or 0 for the default");
    if (request.workers < 0 || request.workers > 1024)
        refuse("--workers", "give 1 to 1024, or 0 for as many as --threads");
    if (request.limit < 0)
        refuse("--limit", "give a number of samples, or 0 for all");
}

/// What is not the default, as options; decoding and sampling have settings of their own. Throws UsageError for options that would be ignored.
std::string readingText(const ReadingOptions& reading, const Limits& limits, bool video)
{
    const char *const images = "images", *const videos = "videos";
    const Limits usual;
    std::string text;
    const auto add = [&](bool given, const std::string& option, const std::string& value,
                         const char* kind = nullptr) {
        if (given && kind != nullptr && video != (kind == videos))
            throw UsageError(option, std::string("it is an option for ") + kind, "leave it out");
        if (given && !value.empty())
            text += (text.empty() ? "" : " ") + option + " " + value;
    };
    const auto limit = [&](const char* option, int64_t Limits::*which) {
        add(limits.*which != usual.*which, option, std::to_string(limits.*which));
    };
    add(reading.sampling == SamplingRule::Segments, "--sampling", "", videos);
    add(reading.orientation, "--orientation", "apply", images);
    add(reading.rotation == Rotation::Apply, "--rotation", "apply", videos);
    add(reading.startTime == StartTime::Official, "--start-time", "official", videos);
    limit("--limit-pixels", &Limits::imagePixels);
    limit("--limit-side", &Limits::imageSide);
    limit("--limit-bytes", &Limits::imageBytes);
    return text;
}

/// Random weights are what their seed and the description make of them.
std::string hashOf(const Classifier& classifier, const EvaluationRequest& request)
{
    if (!request.weightsFile.empty())
        return checkpointHash(request.weightsFile);
    return sha256(classifier.describe().weightsSource + "\n" + request.modelDescription);
}

EvaluationSettings settingsOf(const Classifier& classifier, const EvaluationRequest& request,
                              const LabelledSet& data, const ViewRequest& views, int64_t batch)
{
    const DeviceSummary device = summarise(classifier.device().str());
    EvaluationSettings settings;
    settings.model = classifier.describe().name;
    settings.modelDescription = request.modelDescription;
    settings.weights = request.weightsFile.empty() ? classifier.describe().weightsSource : request.weightsFile;
    settings.weightsHash = hashOf(classifier, request);
    settings.transform = views.transform.name();
    settings.views = data.video ? views.grid.name() : "";
    if (data.video && views.frames > 0)
        settings.sampling = views.rule == SamplingRule::Segments ? wholeVideoSampling : publishedSampling;
    settings.reading = readingText(request.reading, request.limits, data.video);
    settings.protocol = data.protocol;
    settings.keep = request.keep == "logits" ? request.keep : "";
    settings.dtype = dtypeName(classifier.dtype());
    settings.device = device.name + ", " + device.description;
    settings.threads = device.threads;
    settings.batch = batch;
    settings.limit = request.limit;
    settings.seed = request.seed;
    for (const AttentionSpec& spec : request.attention)
        if (!classifier.prepare(spec, request.seed).deterministic)
            settings.draws = drawsByContent;
    settings.shard = request.shard;
    settings.decoder = decoderVersion(data);
    settings.environment = environment();
    settings.command = request.command;
    settings.notes = data.notes;
    settings.issues = data.issues;
    if (settings.sampling == wholeVideoSampling && !request.reading.sampling)
        settings.notes.emplace_back("Something-Something is sampled as in its published evaluation: one clip over "
                                    "the whole video (--sampling ssv2)");
    return settings;
}

/// The number of cores of an evaluation: readers share those of a network on the CPU. With a GPU they have all.
int64_t workersOf(const EvaluationRequest& request, const Classifier& classifier, bool video)
{
    if (request.workers > 0)
        return request.workers;
    const int64_t cores = std::max<int64_t>(
        classifier.device().is_cpu() ? at::get_num_threads() : usableProcessors(), 1);
    return video ? std::min(cores, maxVideoWorkers) : cores;
}

/// For video networks limited by the machine's memory; single frames are as small as images.
int64_t viewsAtOnce(const Classifier& classifier, const ViewRequest& views)
{
    if (classifier.describe().input.size() == 3)
        return std::min<int64_t>(views.grid.clips, 16);
    return classifier.device().is_cuda() ? views.grid.crops : 1;
}

}

int64_t EvaluationPlan::samples() const
{
    int64_t samples = 0;
    for (const int64_t number : batches.batches)
        samples += std::ssize(batches.samplesOf(number));
    return samples;
}

std::vector<int64_t> spreadOrder(int64_t count)
{
    constexpr double goldenSection = 0.6180339887498949;
    auto step = std::max<int64_t>(int64_t(double(count) * goldenSection), 1);
    while (std::gcd(step, count) > 1)
        --step;
    std::vector<int64_t> order;
    for (int64_t i = 0, next = 0; i < count; ++i, next = (next + step) % count)
        order.push_back(next);
    return order;
}

EvaluationPlan planEvaluation(const Classifier& classifier, const EvaluationRequest& request, std::stop_token stop)
{
    checkAttention(request.attention);
    checkLabels(classifier.describe(), request.data);
    checkNumbers(request);
    checkCache(request);
    EvaluationPlan plan;
    plan.data = within(request.data, request.limit);
    const bool video = plan.data->video;
    Transform transform = classifier.transform();
    transform.decoding = request.reading.decoding;
    if (video && transform.decoding != JpegDecoding::Exact)
        throw UsageError("--decode", "frames of videos can't be decoded to a fraction of their size",
                         "leave it out, or evaluate images");
    if (plan.data->border > 0 && transform.decoding != JpegDecoding::Exact)
        throw UsageError("--decode", "images whose border is cut off can't be decoded to a fraction of their size",
                         "leave it out");
    ViewRequest views = viewRequestOf(classifier.describe(), transform);
    const bool wholeVideos = plan.data->wholeVideos
                             && views.frames > 0;  // image networks see frames from all over a video anyway
    applyReading(request.reading, wholeVideos ? SamplingRule::Segments : SamplingRule::Published, request.views,
                 {}, views);
    if (classifier.describe().input.size() == 3)
        views.grid.crops = 1;  // image networks use the centre crop of frames
    BatchPlan& batches = plan.batches;
    batches.reading = {plan.data, views, request.limits, std::move(stop), {}, request.reading.orientation};
    batches.batch = request.batch > 0 ? request.batch : video ? 1 : defaultBatch(classifier.device());
    batches.workers = workersOf(request, classifier, video);
    batches.keepsLogits = request.keep == "logits";
    batches.classes = classesOf(classifier.describe(), *plan.data);
    batches.views = video ? views.grid.count() : 1;
    const int64_t count = (std::ssize(plan.data->files) + batches.batch - 1) / batches.batch;
    for (int64_t number = request.shard.index - 1; number < count; number += request.shard.count)
        batches.batches.push_back(number);
    plan.viewsAtOnce = viewsAtOnce(classifier, views);
    plan.settings = settingsOf(classifier, request, *plan.data, views, batches.batch);
    return plan;
}

}

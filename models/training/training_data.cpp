#include "models/training/training_data.h"

#include "core/base/error.h"

#ifdef ATTNSCOPE_MEDIA
#include "core/data/augment/augment.h"
#include "core/data/augment/clip_jitter.h"
#include "core/media/image/decoder_process.h"
#include "core/media/video/video_reader.h"
#include "core/media/views/open_views.h"

#include <algorithm>
#endif

namespace attnscope {

#ifdef ATTNSCOPE_MEDIA

namespace {

SampleRandom randomOf(const ReadingPlan& plan, uint64_t epoch, int64_t sample)
{
    return {plan.seed, epoch, uint64_t(sample)};
}

SampleLoader imageLoader(std::shared_ptr<const LabelledSet> set, const ReadingPlan& plan)
{
    const auto decoder = std::make_shared<DecoderProcess>();
    decoder->start(plan.limits);
    return [=](int64_t sample, uint64_t epoch) {
        const Clip clip = decoder->read(set->files[size_t(sample)].path, {.limits = plan.limits});
        if (!plan.augment)
            return applyTransform(clip, plan.transform);
        SampleRandom random = randomOf(plan, epoch, sample);
        return augment(clip, plan.transform, *plan.augment, random);
    };
}

/// The number of frames of a video, by decoding it if the container does not state it.
int64_t framesOf(const std::string& path, const VideoReadOptions& options)
{
    VideoReader reader(path, options);
    if (const auto& frames = reader.info().frames; frames && *frames > 0)
        return *frames;
    int64_t count = 0;
    while (reader.advance())
        ++count;
    return count;
}

/// The frames with these non-decreasing numbers, as one clip. A video that ends early repeats its last frame.
Clip readFrames(const std::string& path, const VideoReadOptions& options, const std::vector<int64_t>& numbers)
{
    VideoReader reader(path, options);
    Clip clip;
    clip.height = reader.size().height;
    clip.width = reader.size().width;
    clip.frames = int64_t(numbers.size());
    const auto bytes = size_t(clip.height * clip.width * 3);
    clip.pixels.resize(bytes * numbers.size());
    int64_t at = -1;
    for (size_t i = 0; i < numbers.size(); ++i) {
        bool moved = false;
        while (at < numbers[i] && reader.advance()) {
            ++at;
            moved = true;
        }
        uint8_t* frame = clip.pixels.data() + i * bytes;
        if (moved)
            reader.writeRgb(frame, clip.width * 3, reader.size());
        else if (i > 0)
            std::copy_n(frame - bytes, bytes, frame);
        else
            throw FileError(path, "no frame could be decoded", "give a video that plays");
    }
    return clip;
}

FloatArray augmentedClip(const std::string& path, const ReadingPlan& plan, SampleRandom random)
{
    VideoReadOptions options{.limits = plan.limits, .threads = 1};
    const bool single = plan.frames == 0;
    const ClipSampling sampling{.frames = single ? 1 : plan.frames,
                                .interval = plan.interval,
                                .clips = 1,
                                .rule = single ? SamplingRule::Even : SamplingRule::Published};
    const double rate = VideoReader(path, options).info().averageRate.value();
    const auto numbers = jitteredClip(std::max<int64_t>(framesOf(path, options), 1), rate, sampling, random);
    return augment(readFrames(path, options, numbers), plan.transform, *plan.augment, random);
}

SampleLoader videoLoader(std::shared_ptr<const LabelledSet> set, const ReadingPlan& plan)
{
    return [=](int64_t sample, uint64_t epoch) {
        const std::string& path = set->files[size_t(sample)].path;
        if (plan.augment)
            return augmentedClip(path, plan, randomOf(plan, epoch, sample));
        const ViewRequest request{
            .frames = plan.frames, .interval = plan.interval, .transform = plan.transform, .grid = {1, 1}};
        return openVideoViews(path, {.limits = plan.limits, .threads = 1}, request).view(0);
    };
}

}

TrainingData trainingData(const LabelledSet& set, const ReadingPlan& plan)
{
    if (!set.video && plan.frames > 0)
        throw UsageError(set.root, "it contains images, but the model is a video model",
                         "choose an image model, or a folder of videos");
    TrainingData data;
    for (const LabelledFile& file : set.files) {
        data.labels.push_back(file.label);
        data.names.push_back(file.path);
    }
    const auto shared = std::make_shared<const LabelledSet>(set);
    data.makeLoader = [shared, plan] {
        return shared->video ? videoLoader(shared, plan) : imageLoader(shared, plan);
    };
    return data;
}

#else

TrainingData trainingData(const LabelledSet& set, const ReadingPlan&)
{
    throw Unsupported(set.root, "this build has no decoders for images and videos",
                      "build with ATTNSCOPE_MEDIA=ON to train");
}

#endif

}

#include "core/live/live_predictor.h"

#include "core/data/preprocess/video_transform.h"

#include <algorithm>
#include <memory>

namespace attnscope {

namespace {

/// Prepares an image as in an evaluation.
auto prepareImage(const Transform& transform)
{
    return [transform](const Clip& frame, float* planes) {
        const FloatArray input = applyTransform(frame, transform);
        std::ranges::copy(input.values, planes);
    };
}

/// Prepares the frames of a video as in an evaluation, centre crop.
auto prepareFrame(const Transform& transform)
{
    struct Kept {
        int64_t width = 0, height = 0;
        std::unique_ptr<VideoTransform> transform;  // for frames of this size
    };
    return [transform, kept = std::make_shared<Kept>()](const Clip& frame, float* planes) {
        if (kept->width != frame.width || kept->height != frame.height) {
            kept->transform = std::make_unique<VideoTransform>(frame.width, frame.height, transform, 1);
            kept->width = frame.width;
            kept->height = frame.height;
        }
        const VideoTransform::Frame resized = kept->transform->frame(frame.pixels.data(), frame.width * 3);
        kept->transform->copyCrop(resized, 0, planes, transform.cropHeight * transform.cropWidth);
    };
}

}

LiveWindow::Recipe liveRecipe(const ModelSummary& model, const Transform& transform, int64_t every)
{
    LiveWindow::Recipe recipe;
    recipe.height = transform.cropHeight;
    recipe.width = transform.cropWidth;
    recipe.wish.every = std::max<int64_t>(1, every);
    if (model.input.size() == 4) {
        recipe.wish.frames = model.input[1];
        recipe.wish.interval = std::max<int64_t>(1, model.frameInterval);
        recipe.prepare = prepareFrame(transform);
    } else if (model.input.size() == 3) {
        recipe.prepare = prepareImage(transform);
    }
    return recipe;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/data/augment/random_crop.h"

#include "core/data/preprocess/resize.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Python's round: half to even.
std::int64_t rounded(double value)
{
    return static_cast<std::int64_t>(std::nearbyint(value));
}

CropBox centred(std::int64_t width, std::int64_t height, const AugmentPlan& plan)
{
    const double ratio = static_cast<double>(width) / static_cast<double>(height);
    CropBox box{0, 0, width, height};
    if (ratio < plan.cropRatioMin)
        box.height = std::max<std::int64_t>(rounded(static_cast<double>(width) / plan.cropRatioMin), 1);
    else if (ratio > plan.cropRatioMax)
        box.width = std::max<std::int64_t>(rounded(static_cast<double>(height) * plan.cropRatioMax), 1);
    box.left = (width - box.width) / 2;
    box.top = (height - box.height) / 2;
    return box;
}

}  // namespace

CropBox randomCropBox(std::int64_t width, std::int64_t height, const AugmentPlan& plan, SampleRandom& random)
{
    const double area = static_cast<double>(width) * static_cast<double>(height);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double target = area * random.uniform(plan.cropScaleMin, plan.cropScaleMax);
        const double ratio = std::exp(random.uniform(std::log(plan.cropRatioMin), std::log(plan.cropRatioMax)));
        const std::int64_t w = rounded(std::sqrt(target * ratio)), h = rounded(std::sqrt(target / ratio));
        if (w < 1 || h < 1 || w > width || h > height)
            continue;
        const std::int64_t top = random.below(height - h + 1);
        return {random.below(width - w + 1), top, w, h};
    }
    return centred(width, height, plan);
}

Clip resizedCrop(const Clip& clip, const CropBox& box, const Transform& transform)
{
    Clip result;
    result.frames = clip.frames;
    result.height = transform.cropHeight;
    result.width = transform.cropWidth;
    const std::int64_t rowBytes = result.width * 3, frameBytes = result.height * rowBytes;
    result.pixels.resize(static_cast<std::size_t>(result.frames * frameBytes));
    const ResampleWindow window{{box.width, result.width, 0, result.width},
                                {box.height, result.height, 0, result.height},
                                transform.filter};
    for (std::int64_t t = 0; t < clip.frames; ++t) {
        const std::uint8_t* corner = clip.frame(t) + (box.top * clip.width + box.left) * 3;
        constexpr int threads = 1;  // other samples keep the other cores busy
        resample({corner, clip.width * 3}, window, {result.pixels.data() + t * frameBytes, rowBytes}, threads);
    }
    return result;
}

}  // namespace attnscope

#include "core/data/augment/random_crop.h"

#include "core/data/preprocess/resize.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Python's round: half to even.
int64_t rounded(double value)
{
    return int64_t(std::nearbyint(value));
}

struct BoxRange {
    double areaMin, areaMax;          ///< fractions of the image's area
    double logRatioMin, logRatioMax;  ///< of the sides
    bool ofHeight;                    ///< height to width, not width to height
    int64_t spare;                    ///< pixels of each side that a box leaves out at least
};

/// Up to ten times a uniform area and a log-uniform ratio; the first box that fits, at a uniform position.
std::optional<PixelWindow> drawBox(int64_t width, int64_t height, const BoxRange& range, SampleRandom& random)
{
    const double area = double(width) * double(height);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double target = area * random.uniform(range.areaMin, range.areaMax);
        const double ratio = std::exp(random.uniform(range.logRatioMin, range.logRatioMax));
        int64_t w = rounded(std::sqrt(target * ratio)), h = rounded(std::sqrt(target / ratio));
        if (range.ofHeight)
            std::swap(w, h);
        if (w < 1 || h < 1 || w > width - range.spare || h > height - range.spare)
            continue;
        const int64_t top = random.below(height - h + 1);
        return PixelWindow{random.below(width - w + 1), top, w, h};
    }
    return std::nullopt;
}

PixelWindow centred(int64_t width, int64_t height, const AugmentPlan& plan)
{
    const double ratio = double(width) / double(height);
    PixelWindow box{0, 0, width, height};
    if (ratio < plan.cropRatioMin)
        box.height = std::max<int64_t>(rounded(double(width) / plan.cropRatioMin), 1);
    else if (ratio > plan.cropRatioMax)
        box.width = std::max<int64_t>(rounded(double(height) * plan.cropRatioMax), 1);
    box.left = (width - box.width) / 2;
    box.top = (height - box.height) / 2;
    return box;
}

}

PixelWindow randomCropBox(int64_t width, int64_t height, const AugmentPlan& plan, SampleRandom& random)
{
    const double lowest = std::log(plan.cropRatioMin), highest = std::log(plan.cropRatioMax);
    const BoxRange range{plan.cropScaleMin, plan.cropScaleMax, lowest, highest, false, 0};
    return drawBox(width, height, range, random).value_or(centred(width, height, plan));
}

std::optional<PixelWindow> erasedBox(int64_t width, int64_t height, SampleRandom& random)
{
    const double widest = std::log(1 / 0.3);
    return drawBox(width, height, {0.02, 1.0 / 3, -widest, widest, true, 1}, random);
}

Clip resizedCrop(const Clip& clip, const PixelWindow& box, const Transform& transform)
{
    Clip result = blankClip(clip.frames, transform.cropHeight, transform.cropWidth);
    const ResampleWindow window{{box.width, result.width, 0, result.width},
                                {box.height, result.height, 0, result.height},
                                transform.filter};
    for (int64_t t = 0; t < clip.frames; ++t) {
        const uint8_t* corner = clip.frame(t) + (box.top * clip.width + box.left) * 3;
        constexpr int threads = 1;  // other samples keep the other cores busy
        resample({corner, clip.width * 3}, window, {result.frame(t), result.width * 3}, threads);
    }
    return result;
}

void eraseWithNoise(FloatArray& values, const PixelWindow& box, SampleRandom& random)
{
    const int64_t width = values.shape.back(), height = values.shape[values.shape.size() - 2];
    const int64_t planes = int64_t(values.values.size()) / (width * height);
    std::vector<float> noise(size_t(box.width * box.height));
    for (int64_t plane = 0; plane < planes; ++plane) {
        random.fillNormal(noise);
        for (int64_t y = 0; y < box.height; ++y)
            std::copy_n(noise.data() + y * box.width, box.width,
                        values.values.data() + (plane * height + box.top + y) * width + box.left);
    }
}

}

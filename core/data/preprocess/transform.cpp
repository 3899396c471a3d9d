#include "core/data/preprocess/transform.h"

#include "core/base/error.h"
#include "core/data/preprocess/normalise.h"
#include "core/data/preprocess/transform_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// difference / 2 rounded half to even, like Python's round.
int64_t halfToEven(int64_t difference)
{
    const int64_t down = difference / 2;
    return difference % 2 != 0 && down % 2 != 0 ? down + 1 : down;
}

/// torchvision's CenterCrop: an image smaller than the crop is padded with black, an odd pixel at the end.
AxisCrop axisCrop(int64_t inSize, int64_t outSize, int64_t crop)
{
    if (crop > outSize)
        return {{inSize, outSize, 0, outSize}, (crop - outSize) / 2};
    return {{inSize, outSize, halfToEven(outSize - crop), crop}, 0};
}

struct Sides {
    int64_t width = 0, height = 0;
};

/// torchvision's Resize: the short side becomes `resize`, the long side is truncated. timm's for `Cover`: both sides are divided by the same
/// ratio and rounded half to even.
Sides resizedSides(int64_t width, int64_t height, const Transform& transform)
{
    if (transform.fit == ResizeFit::ShortSide) {
        const int64_t shortSide = std::min(width, height);
        return {transform.resize * width / shortSide, transform.resize * height / shortSide};
    }
    const int64_t shortCrop = std::min(transform.cropWidth, transform.cropHeight);
    const Sides target{transform.resize * transform.cropWidth / shortCrop,
                       transform.resize * transform.cropHeight / shortCrop};
    if (transform.fit == ResizeFit::Squash)
        return target;
    const double ratio = std::min(double(height) / double(target.height), double(width) / double(target.width));
    const auto resized = [&](int64_t side) { return std::llrint(double(side) / ratio); };
    return {resized(width), resized(height)};
}

void require(bool holds, std::string_view problem)
{
    if (!holds)
        throw UsageError("preprocessing", problem);
}

void check(int64_t width, int64_t height, const Transform& transform)
{
    requireSizes(transform);
    require(height > 0 && width > 0, "the image has no pixels");
}

void check(const Clip& clip, const Transform& transform)
{
    check(clip.width, clip.height, transform);
    require(clip.frames > 0, "the image has no pixels");
    require(clip.isWhole(), "the image size does not match its data");
}

}

std::optional<ResizeFilter> filterNamed(std::string_view name)
{
    const auto found = std::ranges::find(filterNames, name);
    return found == filterNames.end() ? std::nullopt
                                      : std::optional(static_cast<ResizeFilter>(found - filterNames.begin()));
}

void requireSizes(const Transform& transform)
{
    constexpr int64_t largest = 16'384;
    const auto isSize = [](int64_t size) { return size >= 1 && size <= largest; };
    require(isSize(transform.resize) && isSize(transform.cropHeight) && isSize(transform.cropWidth),
            "resize and crop must be 1 to 16384 pixels");
}

CropPlan cropPlan(int64_t width, int64_t height, const Transform& transform)
{
    check(width, height, transform);
    const Sides resized = resizedSides(width, height, transform);
    return {axisCrop(width, resized.width, transform.cropWidth),
            axisCrop(height, resized.height, transform.cropHeight), transform.filter};
}

std::string Transform::name() const
{
    const std::string crop = cropHeight == cropWidth ? fmt::format("{}", cropWidth)
                                                     : fmt::format("{}×{}", cropWidth, cropHeight);
    return fmt::format("{} {} {}, crop {}, mean {:.6g}, std {:.6g}{}",
                       fit == ResizeFit::Squash ? "squash to" : "resize", resize, toText(filter), crop,
                       fmt::join(mean, " "), fmt::join(stddev, " "),
                       decoding == JpegDecoding::Scaled ? ", scaled JPEG decoding" : "");
}

Clip resizeAndCrop(const Clip& clip, const Transform& transform)
{
    check(clip, transform);
    Clip result = blankClip(clip.frames, transform.cropHeight, transform.cropWidth);
    result.format = clip.format;
    result.notes = clip.notes;
    for (int64_t t = 0; t < clip.frames; ++t)
        resizeAndCropInto({clip.frame(t), clip.width * 3}, clip.width, clip.height, transform, result.frame(t));
    return result;
}

int64_t decodingFraction(int64_t width, int64_t height, const Transform& transform)
{
    check(width, height, transform);
    const Sides resized = resizedSides(width, height, transform);
    const auto suffices = [&](int64_t fraction) {
        return width >= fraction * resized.width && height >= fraction * resized.height;
    };
    for (const int64_t fraction : {8, 4, 2})
        if (transform.decoding == JpegDecoding::Scaled && suffices(fraction))
            return fraction;
    return 1;
}

PixelWindow windowRead(int64_t width, int64_t height, const Transform& transform)
{
    const CropPlan parts = cropPlan(width, height, transform);
    const AxisWeights across = axisWeights(parts.horizontal.window, transform.filter);
    const AxisWeights down = axisWeights(parts.vertical.window, transform.filter);
    return {across.inputBegin(), down.inputBegin(), across.inputEnd() - across.inputBegin(),
            down.inputEnd() - down.inputBegin()};
}

void resizeAndCropInto(RgbView<const uint8_t> image, int64_t width, int64_t height, const Transform& transform,
                       uint8_t* out)
{
    const CropPlan parts = cropPlan(width, height, transform);
    const ResampleWindow window = parts.window();
    const int64_t rowBytes = transform.cropWidth * 3;
    if (window.horizontal.count != transform.cropWidth || window.vertical.count != transform.cropHeight)
        std::fill_n(out, rowBytes * transform.cropHeight, uint8_t{0});
    const int64_t first = parts.vertical.offset * rowBytes + parts.horizontal.offset * 3;
    resample(image, window, {out + first, rowBytes}, resampleThreads(window));
}

FloatArray applyTransform(const Clip& clip, const Transform& transform)
{
    return normalised(resizeAndCrop(clip, transform), transform);
}

CropRectangle cropRectangle(int64_t width, int64_t height, const Transform& transform)
{
    const CropPlan parts = cropPlan(width, height, transform);
    const auto toInput = [](const AxisWindow& axis, int64_t at) {
        return double(at) * double(axis.inSize) / double(axis.outSize);
    };
    const AxisWindow& across = parts.horizontal.window;
    const AxisWindow& down = parts.vertical.window;
    return {toInput(across, across.first), toInput(down, down.first), toInput(across, across.count),
            toInput(down, down.count)};
}

}

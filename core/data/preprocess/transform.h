#pragma once

#include "core/data/preprocess/clip.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attnscope {

enum class ResizeFilter { Bicubic, Bilinear, Lanczos, Nearest };

/// In the order of ResizeFilter.
inline constexpr std::array filterNames{"bicubic", "bilinear", "lanczos", "nearest"};
inline const char* toText(ResizeFilter filter)
{
    return filterNames.at(size_t(filter));
}
/// Empty for other names.
std::optional<ResizeFilter> filterNamed(std::string_view name);

/// What becomes of an image's sides before the crop.
enum class ResizeFit {
    ShortSide,  ///< the short side becomes `resize` (torchvision)
    Cover,  ///< the smallest image that covers a target of the crop's aspect whose short side is `resize` (timm, crops that are not square)
    Squash,  ///< both sides become that target's: the aspect is not kept (timm's crop mode "squash")
};

enum class JpegDecoding {
    Exact,   ///< every pixel, as in the published evaluations
    Scaled,  ///< to 1/2, 1/4 or 1/8 of the size where the image is shrunk that far anyway: from the low frequencies of its blocks alone. Other
             ///< pixels, in less time
};

/// The evaluation transform of image classifiers: short side to `resize`, centre crop of `crop`, /255, (x − mean) / std. A value type: it
/// is named and printed with every result, because preprocessing affects accuracy.
struct Transform {
    int64_t resize = 256;  ///< short side, pixels
    int64_t cropHeight = 224;
    int64_t cropWidth = 224;
    ResizeFilter filter = ResizeFilter::Bicubic;
    ResizeFit fit = ResizeFit::ShortSide;
    std::array<float, 3> mean{0.485f, 0.456f, 0.406f};
    std::array<float, 3> stddev{0.229f, 0.224f, 0.225f};
    JpegDecoding decoding = JpegDecoding::Exact;

    /// "resize 256 bicubic, crop 224, mean 0.485 0.456 0.406, std 0.229 0.224 0.225", or with ", scaled JPEG decoding" after it
    std::string name() const;
    friend bool operator==(const Transform&, const Transform&) = default;
};

/// A name as earlier versions recorded it; mean and standard deviation are part of the model's description as well.
inline std::string withoutMean(std::string name)
{
    const size_t begin = name.find(", mean "), end = name.find(", scaled");
    return begin == std::string::npos ? name : name.erase(begin, end == std::string::npos ? end : end - begin);
}

/// The crop in pixels of the original image: what the model actually sees.
struct CropRectangle {
    double left = 0, top = 0, width = 0, height = 0;
};

/// Only resize and crop, on 8-bit values, bit-identical to Pillow's: torchvision's Resize (antialiased, a = −0.5, two passes, each rounded
/// and clipped to 8 bits) and CenterCrop (offset round-half-even). Only the part that the crop keeps is computed, so that a 1×N image costs
/// no more than the crop. clip (T,H,W,3) → (T,cropHeight,cropWidth,3).
Clip resizeAndCrop(const Clip& clip, const Transform& transform);

/// The whole transform. clip (T,H,W,3) → (3,cropHeight,cropWidth) for one frame, (3,T,cropHeight,cropWidth) for several.
FloatArray applyTransform(const Clip& clip, const Transform& transform);

CropRectangle cropRectangle(int64_t width, int64_t height, const Transform& transform);

}

#pragma once

#include "core/base/json.h"
#include "core/data/preprocess/transform.h"

#include <array>
#include <cstdint>
#include <string>

namespace attnscope {

/// How images are made into the input of a network, at any size. The defaults are those of ImageNet evaluations with 256 for 224.
struct ImagePreparation {
    std::array<double, 3> mean{0.485, 0.456, 0.406};
    std::array<double, 3> stddev{0.229, 0.224, 0.225};
    ResizeFilter filter = ResizeFilter::Bicubic;
    double cropFraction = 0.875;  ///< crop over short side before it
    bool squash = false;          ///< both sides are resized, the aspect is not kept

    friend bool operator==(const ImagePreparation&, const ImagePreparation&) = default;

    /// The short side before the crop: ⌊crop / cropFraction⌋ (timm).
    int64_t resizeFor(int64_t crop) const;
};

/// Reads `mean`, `std`, `interpolation`, `crop_pct` and `squash` of a model description; what is left out is the default. `subject` is used
/// in messages. Throws UsageError.
ImagePreparation parseImagePreparation(const Json& config, const std::string& subject);

/// Adds the keys that differ from their defaults.
void addTo(Json& config, const ImagePreparation& preparation);

/// Its mean, standard deviation, filter and way of resizing to the crop that the transform has; `resize` is left alone.
void apply(const ImagePreparation& preparation, Transform& transform);

}

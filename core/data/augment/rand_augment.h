#pragma once

#include "core/data/augment/image_operations.h"
#include "core/data/augment/sample_random.h"

#include <optional>

namespace attnscope {

/// The operations of timm's "rand-m9-mstd0.5-inc1", with which DeiT was trained.
enum class Operation {
    AutoContrast,
    Equalise,
    Invert,
    Rotate,
    Posterise,
    Solarise,
    SolariseAdd,
    Colour,
    Contrast,
    Brightness,
    Sharpness,
    ShearX,
    ShearY,
    TranslateX,
    TranslateY,
};
constexpr int64_t operationCount = 15;

/// An operation with its amount: degrees, bits, threshold, amount, factor, shear, or fraction of the side; 0 if it has none.
struct DrawnOperation {
    Operation operation = Operation::AutoContrast;
    double amount = 0;
    friend bool operator==(const DrawnOperation&, const DrawnOperation&) = default;
};

/// The amount for a magnitude of 0 … 10; `negative` if the operation has a direction. Larger is always stronger.
double operationAmount(Operation operation, double magnitude, bool negative);

/// One of the fifteen; skipped with probability ½ (empty). Its magnitude is normal around `magnitude` with standard deviation ½, within 0 …
/// 10.
std::optional<DrawnOperation> drawOperation(double magnitude, SampleRandom& random);

/// How images are warped, and the colour that fills the area beyond their edges.
struct OperationSetting {
    ResizeFilter filter = ResizeFilter::Bicubic;
    std::array<uint8_t, 3> fill{};
};

void applyOperation(ImageView image, const DrawnOperation& drawn, const OperationSetting& setting);

}

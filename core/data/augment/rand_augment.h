// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/image_view.h"
#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/transform.h"

#include <array>
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
constexpr std::int64_t operationCount = 15;

/// An operation with its number: degrees, bits, threshold, amount, factor, shear, or share of the side; 0 where it has none.
struct DrawnOperation {
    Operation operation = Operation::AutoContrast;
    double amount = 0;
    friend bool operator==(const DrawnOperation&, const DrawnOperation&) = default;
};

/// The number that belongs to a magnitude of 0 … 10; `negative` where the operation has a direction. Larger is always stronger.
double operationAmount(Operation operation, double magnitude, bool negative);

/// One of the fifteen; with probability ½ it is left out (empty). Its magnitude is normal around `magnitude`, deviation ½, within 0 … 10.
std::optional<DrawnOperation> drawOperation(double magnitude, SampleRandom& random);

/// How pictures are warped, and what appears behind their edges.
struct OperationSetting {
    ResizeFilter filter = ResizeFilter::Bicubic;
    std::array<std::uint8_t, 3> fill{};
};

void applyOperation(ImageView image, const DrawnOperation& drawn, const OperationSetting& setting);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "core/data/augment/rand_augment.h"

#include "core/data/augment/colour_operations.h"
#include "core/data/augment/warp.h"

#include <algorithm>

namespace attnscope {

double operationAmount(Operation operation, double magnitude, bool negative)
{
    const double fraction = magnitude / 10, sign = negative ? -1 : 1;
    switch (operation) {
    case Operation::AutoContrast:
    case Operation::Equalise:
    case Operation::Invert:
        return 0;
    case Operation::Rotate:
        return sign * fraction * 30;
    case Operation::Posterise:
        return std::max(4 - static_cast<int>(fraction * 4), 1);
    case Operation::Solarise:
        return 256 - std::min(static_cast<int>(fraction * 256), 256);
    case Operation::SolariseAdd:
        return std::min(static_cast<int>(fraction * 110), 128);
    case Operation::Colour:
    case Operation::Contrast:
    case Operation::Brightness:
    case Operation::Sharpness:
        return std::max(1 + sign * fraction * 0.9, 0.1);
    case Operation::ShearX:
    case Operation::ShearY:
        return sign * fraction * 0.3;
    case Operation::TranslateX:
    case Operation::TranslateY:
        return sign * fraction * 0.45;
    }
    return 0;
}

std::optional<DrawnOperation> drawOperation(double magnitude, SampleRandom& random)
{
    const auto operation = static_cast<Operation>(random.below(operationCount));
    if (random.chance(0.5))
        return std::nullopt;
    const double drawn = std::clamp(magnitude + 0.5 * random.normal(), 0.0, 10.0);
    return DrawnOperation{operation, operationAmount(operation, drawn, random.chance(0.5))};
}

void applyOperation(ImageView image, const DrawnOperation& drawn, const OperationSetting& setting)
{
    const double amount = drawn.amount;
    const int whole = static_cast<int>(amount);
    const auto warpBy = [&](const AffineMap& map) { warp(image, map, setting.filter, setting.fill); };
    switch (drawn.operation) {
    case Operation::AutoContrast:
        return autoContrast(image);
    case Operation::Equalise:
        return equalise(image);
    case Operation::Invert:
        return invert(image);
    case Operation::Rotate:
        return warpBy(rotation(amount, image.width, image.height));
    case Operation::Posterise:
        return posterise(image, whole);
    case Operation::Solarise:
        return solarise(image, whole);
    case Operation::SolariseAdd:
        return solariseAdd(image, whole);
    case Operation::Colour:
        return changeColour(image, amount);
    case Operation::Contrast:
        return changeContrast(image, amount);
    case Operation::Brightness:
        return changeBrightness(image, amount);
    case Operation::Sharpness:
        return changeSharpness(image, amount);
    case Operation::ShearX:
        return warpBy({1, amount, 0, 0, 1, 0});
    case Operation::ShearY:
        return warpBy({1, 0, 0, amount, 1, 0});
    case Operation::TranslateX:
        return warpBy({1, 0, amount * static_cast<double>(image.width), 0, 1, 0});
    case Operation::TranslateY:
        return warpBy({1, 0, 0, 0, 1, amount * static_cast<double>(image.height)});
    }
}

}  // namespace attnscope

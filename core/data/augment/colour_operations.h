// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/image_view.h"

/// RandAugment's operations on colours, in place, bit-identical to Pillow's ImageOps and ImageEnhance.
namespace attnscope {

/// Stretches each channel to 0 … 255.
void autoContrast(ImageView image);
/// Flattens each channel's histogram.
void equalise(ImageView image);
/// 255 − v.
void invert(ImageView image);
/// Keeps the `bits` highest bits, 0 … 8.
void posterise(ImageView image, int bits);
/// Inverts values from `threshold` on.
void solarise(ImageView image, int threshold);
/// Adds to values below 128, up to 255.
void solariseAdd(ImageView image, int amount);
/// Away from (factor > 1) or towards (< 1) the greyscale image.
void changeColour(ImageView image, double factor);
/// Away from or towards the mean grey.
void changeContrast(ImageView image, double factor);
/// Away from or towards black.
void changeBrightness(ImageView image, double factor);
/// Away from or towards a smoothed image (3 × 3; the outermost pixels stay).
void changeSharpness(ImageView image, double factor);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/picture_view.h"

/// RandAugment's operations on colours, in place, equal to Pillow's ImageOps and ImageEnhance to the bit.
namespace attnscope {

/// Stretches each channel to 0 … 255.
void autoContrast(PictureView picture);
/// Flattens each channel's histogram.
void equalise(PictureView picture);
/// 255 − v.
void invert(PictureView picture);
/// Keeps the `bits` highest bits, 0 … 8.
void posterise(PictureView picture, int bits);
/// Inverts values from `threshold` on.
void solarise(PictureView picture, int threshold);
/// Adds to values below 128, up to 255.
void solariseAdd(PictureView picture, int amount);
/// Away from (factor > 1) or towards (< 1) the grey picture.
void changeColour(PictureView picture, double factor);
/// Away from or towards the mean grey.
void changeContrast(PictureView picture, double factor);
/// Away from or towards black.
void changeBrightness(PictureView picture, double factor);
/// Away from or towards a smoothed picture (3 × 3; the outermost pixels stay).
void changeSharpness(PictureView picture, double factor);

}  // namespace attnscope

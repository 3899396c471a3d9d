#pragma once

#include "core/data/preprocess/transform.h"

#include <array>
#include <cstdint>

/// RandAugment's operations, in place; those on colours are bit-identical to Pillow's ImageOps and ImageEnhance.
namespace attnscope {

/// Contiguous 8-bit RGB rows in a buffer owned by somebody else, changed in place by an operation.
struct ImageView {
    uint8_t* pixels = nullptr;  ///< (H,W,3)
    int64_t width = 0, height = 0;

    int64_t count() const { return width * height; }
    int64_t bytes() const { return width * height * 3; }
};

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

/// Where a pixel of the result comes from: (x, y) ↦ (a·x + b·y + c, d·x + e·y + f), pixel centres at half-integers.
struct AffineMap {
    double a = 1, b = 0, c = 0;
    double d = 0, e = 1, f = 0;
};

/// A rotation around the centre of an image, counter-clockwise as displayed.
AffineMap rotation(double degrees, int64_t width, int64_t height);

/// Warps in place like Pillow's Image.transform: bilinear, or its bicubic (a = −1) without antialiasing; outside the image is `fill`. Equal
/// to Pillow's except for one grey level where float32 falls on the other side of an integer.
void warp(ImageView image, const AffineMap& map, ResizeFilter filter, const std::array<uint8_t, 3>& fill);

}

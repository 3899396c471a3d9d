#pragma once

#include "core/data/augment/sample_random.h"
#include "core/data/demo/scene_photos.h"
#include "core/data/preprocess/clip.h"

#include <array>
#include <functional>
#include <vector>

namespace attnscope {

struct Point {
    double x = 0, y = 0;
};

using Rgb = std::array<double, 3>;

/// Bilinear values of a photograph's region. No pixel outside the region is ever read: beyond its edge it is continued by reflection. Uses
/// only sums, products and roundings of doubles in a fixed order, so that results are the same on every machine.
class RegionSampler {
public:
    /// `photo` must outlive this object. Asserts that the region is inside it.
    RegionSampler(const Clip& photo, const PixelWindow& region);

    /// In pixels of the photograph, whose first pixel has its centre at (½, ½).
    Rgb at(const Point& point) const;

private:
    const uint8_t* pixel(int64_t x, int64_t y) const { return m_first + y * m_rowBytes + x * 3; }

    const uint8_t* m_first;  ///< pixel of the region's corner
    int64_t m_rowBytes;
    PixelWindow m_region;
};

/// One of them, with probability proportional to its area.
PixelWindow drawRegion(const std::vector<PixelWindow>& regions, SampleRandom& random);

/// Mean difference between neighbours on a grid of points × points, in green. `at` maps fractions of the sides to the photograph.
double detailOf(const RegionSampler& sampler, int64_t points, const std::function<Point(double u, double v)>& at);

/// 8 bits, rounded.
uint8_t toByte(double value);

/// How an image's colours are changed.
struct Light {
    double brightness = 1;                ///< factor
    double contrast = 1;                  ///< factor around mid grey
    double saturation = 1;                ///< factor around the pixel's own grey
    std::array<double, 3> tint{1, 1, 1};  ///< factors of red, green, blue
};

/// Brightness and contrast 1 ± 0.25, saturation 1 ± 0.4, tints 1 ± 0.06.
Light drawLight(SampleRandom& random);

/// Applied to all frames, in place.
void applyLight(Clip& clip, const Light& light);

}

#include "core/data/demo/region_sampler.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope {

namespace {

/// `position` reflected into 0 … size.
double folded(double position, double size)
{
    if (position >= 0 && position <= size)
        return position;
    const double turn = 2 * size;
    position -= std::floor(position / turn) * turn;
    return position <= size ? position : turn - position;
}

/// The two pixels around a position, and the weight of the second.
struct Neighbours {
    int64_t first, second;
    double fraction;
};

Neighbours neighbours(double position, int64_t size)
{
    const double shifted = folded(position, double(size)) - 0.5;
    const double below = std::floor(shifted);
    const auto first = int64_t(below);
    return {std::clamp<int64_t>(first, 0, size - 1), std::clamp<int64_t>(first + 1, 0, size - 1), shifted - below};
}

}

RegionSampler::RegionSampler(const Clip& photo, const PixelWindow& region)
    : m_first(photo.pixels.data() + (region.top * photo.width + region.left) * 3)
    , m_rowBytes(photo.width * 3)
    , m_region(region)
{
    assert(region.left >= 0 && region.top >= 0 && region.width > 0 && region.height > 0);
    assert(region.left + region.width <= photo.width && region.top + region.height <= photo.height);
}

Rgb RegionSampler::at(const Point& point) const
{
    const Neighbours x = neighbours(point.x - double(m_region.left), m_region.width);
    const Neighbours y = neighbours(point.y - double(m_region.top), m_region.height);
    const uint8_t* a = pixel(x.first, y.first);
    const uint8_t* b = pixel(x.second, y.first);
    const uint8_t* c = pixel(x.first, y.second);
    const uint8_t* d = pixel(x.second, y.second);
    Rgb value;
    for (size_t i = 0; i < 3; ++i) {
        const double upper = a[i] + x.fraction * (b[i] - a[i]), lower = c[i] + x.fraction * (d[i] - c[i]);
        value[i] = upper + y.fraction * (lower - upper);
    }
    return value;
}

PixelWindow drawRegion(const std::vector<PixelWindow>& regions, SampleRandom& random)
{
    int64_t area = 0;
    for (const PixelWindow& region : regions)
        area += region.width * region.height;
    int64_t place = random.below(area);
    for (const PixelWindow& region : regions) {
        place -= region.width * region.height;
        if (place < 0)
            return region;
    }
    return regions.back();
}

double detailOf(const RegionSampler& sampler, int64_t points, const std::function<Point(double u, double v)>& at)
{
    std::vector<double> above(static_cast<size_t>(points));
    const auto fraction = [points](int64_t i) { return (double(i) + 0.5) / double(points); };
    double sum = 0;
    for (int64_t y = 0; y < points; ++y) {
        double left = 0;
        for (int64_t x = 0; x < points; ++x) {
            const double value = sampler.at(at(fraction(x), fraction(y)))[1];
            sum += (x > 0 ? std::abs(value - left) : 0) + (y > 0 ? std::abs(value - above[size_t(x)]) : 0);
            above[size_t(x)] = left = value;
        }
    }
    return sum / double(2 * points * (points - 1));
}

uint8_t toByte(double value)
{
    return uint8_t(std::clamp(value + 0.5, 0.0, 255.0));
}

Light drawLight(SampleRandom& random)
{
    Light light;
    light.brightness = random.uniform(0.75, 1.25);
    light.contrast = random.uniform(0.75, 1.25);
    light.saturation = random.uniform(0.6, 1.4);
    for (double& tint : light.tint)
        tint = random.uniform(0.94, 1.06);
    return light;
}

void applyLight(Clip& clip, const Light& light)
{
    for (size_t i = 0; i < clip.pixels.size(); i += 3) {
        uint8_t* pixel = clip.pixels.data() + i;
        const double grey = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
        for (size_t c = 0; c < 3; ++c) {
            const double coloured = (grey + light.saturation * (pixel[c] - grey)) * light.tint[c]
                                    * light.brightness;
            pixel[c] = toByte(128 + light.contrast * (coloured - 128));
        }
    }
}

}

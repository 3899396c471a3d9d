#include "core/data/preprocess/resize.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

double bicubic(double x)
{
    constexpr double a = -0.5;
    x = std::abs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

double triangle(double x)
{
    x = std::abs(x);
    return x < 1 ? 1 - x : 0;
}

double lanczos(double x)
{
    const auto sinc = [](double y) {
        return y == 0 ? 1 : std::sin(std::numbers::pi * y) / (std::numbers::pi * y);
    };
    return std::abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
}

int32_t toFixedPoint(double weight)
{
    const double scaled = weight * (1 << AxisWeights::fractionBits);
    return int32_t(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

/// One input for each output, at places that are summed up as in Pillow.
AxisWeights nearest(const AxisWindow& window)
{
    const double step = double(window.inSize) / double(window.outSize);
    double place = step / 2;
    AxisWeights axis;
    axis.stride = 1;
    axis.taps.assign(window.count, 1);
    axis.weights.assign(window.count, 1 << AxisWeights::fractionBits);
    for (int64_t i = 0; i < window.first + window.count; ++i, place += step)
        if (i >= window.first)
            axis.begin.push_back(std::min(int64_t(place), window.inSize - 1));
    return axis;
}

}

AxisWeights axisWeights(const AxisWindow& window, ResizeFilter filter)
{
    if (window.inSize == window.outSize || filter == ResizeFilter::Nearest)
        return nearest(window);
    const double scale = double(window.inSize) / double(window.outSize);
    const double filterScale = std::max(scale, 1.0);
    const auto kernel = filter == ResizeFilter::Bicubic    ? bicubic
                        : filter == ResizeFilter::Bilinear ? triangle
                                                           : lanczos;
    const double support = (filter == ResizeFilter::Bicubic    ? 2.0
                            : filter == ResizeFilter::Bilinear ? 1.0
                                                               : 3.0)
                           * filterScale;
    const double inverse = 1.0 / filterScale;

    AxisWeights axis;
    axis.stride = int64_t(std::ceil(support)) * 2 + 1;
    axis.weights.assign(window.count * axis.stride, 0);
    std::vector<double> exact(axis.stride);
    for (int64_t i = 0; i < window.count; ++i) {
        const double centre = (double(window.first + i) + 0.5) * scale;
        const int64_t begin = std::max<int64_t>(int64_t(centre - support + 0.5), 0);
        const int64_t end = std::min<int64_t>(int64_t(centre + support + 0.5), window.inSize);
        double sum = 0;
        for (int64_t j = 0; j < end - begin; ++j) {
            const double x = (double(j + begin) - centre + 0.5) * inverse;
            exact[j] = kernel(x);
            sum += exact[j];
        }
        for (int64_t j = 0; j < end - begin; ++j)
            axis.weights[i * axis.stride + j] = toFixedPoint(sum != 0 ? exact[j] / sum : exact[j]);
        axis.begin.push_back(begin);
        axis.taps.push_back(end - begin);
    }
    return axis;
}

}

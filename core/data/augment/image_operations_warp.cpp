#include "core/data/augment/image_operations.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace attnscope {

namespace {

constexpr int64_t margin = 2;  // pixels that the bicubic kernel reaches beyond an edge

/// Red, green, blue and padding in one register.
using Colour = float __attribute__((vector_size(16)));

/// An image of floats with replicated borders, so that kernels need no bounds checks.
class Padded {
public:
    explicit Padded(ImageView image)
        : m_width(image.width + 2 * margin)
        , m_colours(size_t(m_width * (image.height + 2 * margin)))
    {
        for (int64_t y = -margin; y < image.height + margin; ++y) {
            const int64_t row = std::clamp<int64_t>(y, 0, image.height - 1);
            Colour* out = m_colours.data() + (y + margin) * m_width;
            for (int64_t x = -margin; x < image.width + margin; ++x) {
                const uint8_t* pixel = image.pixels
                                       + (row * image.width + std::clamp<int64_t>(x, 0, image.width - 1)) * 3;
                *out++ = Colour{float(pixel[0]), float(pixel[1]), float(pixel[2]), 0};
            }
        }
    }

    int64_t width() const { return m_width; }
    const Colour* at(int64_t x, int64_t y) const { return m_colours.data() + (y + margin) * m_width + x + margin; }

private:
    int64_t m_width;
    std::vector<Colour> m_colours;
};

/// Written so that equal neighbours reproduce their value exactly.
inline Colour cubic(Colour v0, Colour v1, Colour v2, Colour v3, float d)
{
    const Colour p2 = v2 - v0, p3 = 2 * (v0 - v1) + v2 - v3, p4 = v1 - v0 - v2 + v3;
    return v1 + d * (p2 + d * (p3 + d * p4));
}

inline Colour linear(Colour v0, Colour v1, float d)
{
    return v0 + d * (v1 - v0);
}

struct Bicubic {
    static Colour at(const Colour* c, int64_t stride, float dx, float dy)
    {
        c -= stride + 1;
        Colour rows[4];
        for (int j = 0; j < 4; ++j)
            rows[j] = cubic(c[j * stride], c[j * stride + 1], c[j * stride + 2], c[j * stride + 3], dx);
        return cubic(rows[0], rows[1], rows[2], rows[3], dy);
    }
};

struct Bilinear {
    static Colour at(const Colour* c, int64_t stride, float dx, float dy)
    {
        return linear(linear(c[0], c[1], dx), linear(c[stride], c[stride + 1], dx), dy);
    }
};

template <typename Kernel>
void warpWith(ImageView image, const AffineMap& map, const std::array<uint8_t, 3>& fill)
{
    const Padded padded(image);
    const auto width = double(image.width), height = double(image.height);
    uint8_t* out = image.pixels;
    for (int64_t row = 0; row < image.height; ++row) {
        const double y = double(row) + 0.5;
        for (int64_t column = 0; column < image.width; ++column, out += 3) {
            const double x = double(column) + 0.5;
            const double fromX = map.a * x + map.b * y + map.c, fromY = map.d * x + map.e * y + map.f;
            if (!(fromX >= 0 && fromX < width && fromY >= 0 && fromY < height)) {
                std::ranges::copy(fill, out);
                continue;
            }
            // Non-negative after adding 1, so that truncation is floor.
            const auto left = int64_t(fromX + 0.5) - 1, top = int64_t(fromY + 0.5) - 1;
            const Colour value = Kernel::at(padded.at(left, top), padded.width(),
                                            float(fromX - 0.5 - double(left)), float(fromY - 0.5 - double(top)));
            for (int c = 0; c < 3; ++c)
                out[c] = uint8_t(std::clamp(value[c], 0.0f, 255.0f));
        }
    }
}

}

AffineMap rotation(double degrees, int64_t width, int64_t height)
{
    const double angle = -degrees * std::numbers::pi / 180;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double x = double(width) / 2, y = double(height) / 2;
    return {cosine, sine, x - cosine * x - sine * y, -sine, cosine, y + sine * x - cosine * y};
}

void warp(ImageView image, const AffineMap& map, ResizeFilter filter, const std::array<uint8_t, 3>& fill)
{
    if (filter == ResizeFilter::Bicubic)
        warpWith<Bicubic>(image, map, fill);
    else
        warpWith<Bilinear>(image, map, fill);
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/data/augment/random_erasing.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

std::optional<CropBox> erasedBox(std::int64_t width, std::int64_t height, SampleRandom& random)
{
    const double area = static_cast<double>(width) * static_cast<double>(height);
    const double widest = std::log(1 / 0.3);
    for (int attempt = 0; attempt < 10; ++attempt) {
        const double target = area * random.uniform(0.02, 1.0 / 3);
        const double ratio = std::exp(random.uniform(-widest, widest));
        const auto h = static_cast<std::int64_t>(std::nearbyint(std::sqrt(target * ratio)));
        const auto w = static_cast<std::int64_t>(std::nearbyint(std::sqrt(target / ratio)));
        if (w < 1 || h < 1 || w >= width || h >= height)
            continue;
        const std::int64_t top = random.below(height - h + 1);
        return CropBox{random.below(width - w + 1), top, w, h};
    }
    return std::nullopt;
}

void eraseWithNoise(FloatArray& values, const CropBox& box, SampleRandom& random)
{
    const std::int64_t width = values.shape.back(), height = values.shape[values.shape.size() - 2];
    const std::int64_t planes = static_cast<std::int64_t>(values.values.size()) / (width * height);
    std::vector<float> noise(static_cast<std::size_t>(box.width * box.height));
    for (std::int64_t plane = 0; plane < planes; ++plane) {
        random.fillNormal(noise);
        for (std::int64_t y = 0; y < box.height; ++y)
            std::copy_n(noise.data() + y * box.width, box.width,
                        values.values.data() + (plane * height + box.top + y) * width + box.left);
    }
}

}  // namespace attnscope

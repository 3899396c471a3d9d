#pragma once

#include "core/data/preprocess/clip.h"

#include <random>

/// Noise at full contrast: edges everywhere, so that clipping between the passes matters.
inline attnscope::Clip randomClip(std::int64_t width, std::int64_t height, std::int64_t frames = 1,
                                  unsigned seed = 1)
{
    std::mt19937 random(seed);
    attnscope::Clip clip{frames, height, width, {}, "test", {}};
    clip.pixels.resize(std::size_t(frames * height * width * 3));
    for (std::uint8_t& value : clip.pixels)
        value = std::uint8_t(random() % 3 == 0 ? random() % 256 : random() % 2 * 255);
    return clip;
}

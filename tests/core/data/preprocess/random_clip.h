#pragma once

#include "core/data/preprocess/clip.h"

#include <random>

/// Noise at full contrast: edges everywhere, so that clipping between the passes matters.
inline attnscope::Clip randomClip(int64_t width, int64_t height, int64_t frames = 1, unsigned seed = 1)
{
    std::mt19937 random(seed);
    attnscope::Clip clip{frames, height, width, {}, "test", {}};
    clip.pixels.resize(size_t(frames * height * width * 3));
    for (uint8_t& value : clip.pixels)
        value = uint8_t(random() % 3 == 0 ? random() % 256 : random() % 2 * 255);
    return clip;
}

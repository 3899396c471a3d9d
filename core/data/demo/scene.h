#pragma once

#include "core/data/demo/region_sampler.h"

#include <array>
#include <cstdint>
#include <optional>

/// *Scenes*: crops of the photographs; the class is the photograph.
namespace attnscope {

constexpr int64_t sceneSide = 224;  ///< pixels

/// Identifies a sample; all its randomness is derived from these numbers.
struct SceneKey {
    uint64_t seed = 0;
    size_t photo = 0;  ///< in scenePhotos()
    Split split = Split::Training;
    uint64_t index = 0;
};

struct Occluder {
    PixelWindow box;  ///< of the crop, in its pixels
    std::array<uint8_t, 3> colour{};
};

/// How a photograph is transformed.
struct SceneRecipe {
    PixelWindow region;            ///< of the photograph, containing all corners
    std::array<Point, 4> corners;  ///< top left, top right, bottom right, bottom left, in pixels of the photograph
    int blur = 0;                  ///< number of (1 2 1)/4 passes over rows and columns
    Light light;
    double noise = 0;  ///< standard deviation, grey levels
    std::optional<Occluder> occluder;
};

/// A square of 0.6 … 1 of the largest, up to 204 pixels, that fits into each of the photograph's regions, so that both splits show things
/// at the same scale; with an aspect ratio of 1 ± 0.1, rotated by up to 15°, each corner moved by up to 0.06 of the side; at a uniform
/// position with all four corners inside a region of the split. A crop with hardly any detail is chosen anew, up to eight times. Blur for
/// 0.3 of the samples (1 to 3 times), noise for half (up to 10 levels), an occluder of 0.2 … 0.45 of each side for 0.3.
SceneRecipe drawScene(const Clip& photo, const SceneKey& key);

/// photo (1,H,W,3) → (1,224,224,3). Reads no pixel outside the split's region.
Clip renderScene(const Clip& photo, const SceneKey& key);

}

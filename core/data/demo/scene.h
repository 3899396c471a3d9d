// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/demo/light.h"
#include "core/data/demo/region_sampler.h"

#include <array>
#include <cstdint>
#include <optional>

/// *Scenes*: crops of the photographs; the class is the photograph.
namespace attnscope {

constexpr std::int64_t sceneSide = 224;  ///< pixels

/// Which sample it is; all of it is drawn from these numbers.
struct SceneKey {
    std::uint64_t seed = 0;
    std::size_t photo = 0;  ///< in scenePhotos()
    Split split = Split::Training;
    std::uint64_t index = 0;
};

struct Occluder {
    Region box;  ///< of the crop, in its pixels
    std::array<std::uint8_t, 3> colour{};
};

/// What is done to a photograph.
struct SceneRecipe {
    Region region;                 ///< of the photograph, in which all corners lie
    std::array<Point, 4> corners;  ///< top left, top right, bottom right, bottom left, in pixels of the photograph
    int blur = 0;                  ///< times that (1 2 1)/4 goes over rows and columns
    Light light;
    double noise = 0;  ///< standard deviation, grey levels
    std::optional<Occluder> occluder;
};

/// A square of 0.6 … 1 of the largest, up to 204 pixels, that fits into each of the photograph's regions, so that both splits show
/// things at the same scale; its sides 1 ± 0.1 to each other, turned by up to 15°, each corner moved by up to 0.06 of the side; at a
/// uniform place where all four corners lie inside a region of the split. A crop with hardly anything in it is drawn anew, up to eight
/// times. Blur for 0.3 of the samples (1 to 3 times), noise for half (up to 10 levels), an occluder of 0.2 … 0.45 of each side for 0.3.
SceneRecipe drawScene(const Clip& photo, const SceneKey& key);

/// photo (1,H,W,3) → (1,224,224,3). Reads no pixel outside the split's region.
Clip renderScene(const Clip& photo, const SceneKey& key);

}  // namespace attnscope

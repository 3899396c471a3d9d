// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/demo/light.h"
#include "core/data/demo/region_sampler.h"

#include <array>
#include <cstdint>
#include <string_view>

/// *Camera moves*: short clips over the photographs; the class is how the camera moves, which no single frame tells.
namespace attnscope {

constexpr std::int64_t moveSide = 128;  ///< pixels
constexpr std::int64_t moveFrames = 16;

/// By name. The camera moves, so what it sees goes the other way: under pan-right to the left, under rotate-left (counter-clockwise)
/// clockwise, and under zoom-in it grows.
enum class Move { PanDown, PanLeft, PanRight, PanUp, RotateLeft, RotateRight, ZoomIn, ZoomOut };
constexpr std::array<std::string_view, 8> moveNames{"pan-down",    "pan-left",     "pan-right", "pan-up",
                                                    "rotate-left", "rotate-right", "zoom-in",   "zoom-out"};

struct MoveKey {
    std::uint64_t seed = 0;
    Move move = Move::PanDown;
    Split split = Split::Training;
    std::uint64_t index = 0;
};

/// The photograph of sample `index`: they take turns, the same in each class.
std::size_t photoOf(const MoveKey& key);

/// Where the camera is in the middle of a clip, and how far it comes in each half of it. Time runs from −1 to 1; the first half is the
/// second backwards, so that a clip and its reverse have the same frames.
struct MoveRecipe {
    Region region;                ///< of the photograph, whose mirror images are the plane
    Point centre;                 ///< of the window, in pixels of the photograph
    double side = 0;              ///< of the window, in these pixels
    double cosine = 1, sine = 0;  ///< of the window's own turn: any direction
    bool mirrored = false;
    Point shift;             ///< of the centre in half the time, in window sides, along the window's axes
    double growth = 0;       ///< of the side in half the time, as a share of it: below 0 under zoom-in
    double halfTangent = 0;  ///< tan(α/2) of the turn in half the time; above 0 is clockwise, y pointing down
    Light light;
};

/// Centre and direction are uniform, the plane being mirror images of the split's region, and the side is 0.45 … 0.85 of the
/// smallest region's short side times what zooms add; both are alike for all classes. Pans come 0.4 … 0.9 of a side far, zooms change the side
/// by a factor of 1.5 … 2.3, turns take 37° … 80°; beside it the camera drifts a little in the other ways.
/// A middle frame without detail is drawn anew, up to 24 times.
MoveRecipe drawMove(const Clip& photo, const MoveKey& key);

/// Frame 0 … 15 of such a clip. photo (1,H,W,3) → (1,128,128,3).
Clip renderMoveFrame(const Clip& photo, const MoveRecipe& recipe, std::int64_t frame);

/// photo (1,H,W,3) → (16,128,128,3). Reads no pixel outside the split's regions.
Clip renderMove(const Clip& photo, const MoveKey& key);

}  // namespace attnscope

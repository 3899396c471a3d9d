#pragma once

#include "core/data/demo/region_sampler.h"

#include <array>
#include <cstdint>
#include <string_view>

/// *Camera moves*: short clips over the photographs; the class is the camera's motion, which no single frame reveals.
namespace attnscope {

constexpr int64_t moveSide = 128;  ///< pixels
constexpr int64_t moveFrames = 16;

/// By name. The camera moves, so that the content moves the other way: under pan-right to the left, under rotate-left (counter-clockwise)
/// clockwise, and under zoom-in it grows.
enum class Move { PanDown, PanLeft, PanRight, PanUp, RotateLeft, RotateRight, ZoomIn, ZoomOut };
constexpr std::array<std::string_view, 8> moveNames{"pan-down",    "pan-left",     "pan-right", "pan-up",
                                                    "rotate-left", "rotate-right", "zoom-in",   "zoom-out"};

struct MoveKey {
    uint64_t seed = 0;
    Move move = Move::PanDown;
    Split split = Split::Training;
    uint64_t index = 0;
};

/// The photograph of sample `index`: they alternate, in the same way for each class.
size_t photoOf(const MoveKey& key);

/// The camera's position in the middle of a clip, and its displacement in each half. Time runs from −1 to 1; the first half is the second
/// one backwards, so that a clip and its reverse have the same frames.
struct MoveRecipe {
    PixelWindow region;           ///< of the photograph, continued by its mirror images
    Point centre;                 ///< of the window, in pixels of the photograph
    double side = 0;              ///< of the window, in pixels of the photograph
    double cosine = 1, sine = 0;  ///< of the window's own rotation: any direction
    bool mirrored = false;
    Point shift;             ///< of the centre in half the time, in window sides, along the window's axes
    double enlargement = 0;  ///< relative change of the side in half the time: negative for zoom-in
    double halfTangent = 0;  ///< tan(α/2) of the rotation in half the time; positive is clockwise, y pointing down
    Light light;
};

/// Centre and direction are uniform, the plane being mirror images of the split's region, and the side is 0.45 … 0.85 of the smallest
/// region's short side times the range of zooms; both are equally distributed for all classes. Pans cover 0.4 … 0.9 of a side, zooms change
/// the side by a factor of 1.5 … 2.3, rotations are 37° … 80°; in addition the camera drifts slightly in the other ways. If the middle
/// frame lacks detail, the position is chosen anew, up to 24 times.
MoveRecipe drawMove(const Clip& photo, const MoveKey& key);

/// Frame 0 … 15 of such a clip. photo (1,H,W,3) → (1,128,128,3).
Clip renderMoveFrame(const Clip& photo, const MoveRecipe& recipe, int64_t frame);

/// photo (1,H,W,3) → (16,128,128,3). Reads no pixel outside the split's regions.
Clip renderMove(const Clip& photo, const MoveKey& key);

}

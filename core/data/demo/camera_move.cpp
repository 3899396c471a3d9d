#include "core/data/demo/camera_move.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

constexpr double minDetail = 6;  // grey levels

StreamKey streamOf(const MoveKey& key)
{
    const auto stream = uint32_t(size_t(key.move) * 2 + (key.split == Split::Validation ? 1 : 0));
    return {key.seed, stream, key.index, streamPurpose("move")};
}

/// A uniform direction without the library's cosine: a point in the unit disc, projected to the circle.
Point drawDirection(SampleRandom& random)
{
    for (;;) {
        const Point point{random.uniform(-1, 1), random.uniform(-1, 1)};
        const double square = point.x * point.x + point.y * point.y;
        if (square > 0.01 && square <= 1)
            return {point.x / std::sqrt(square), point.y / std::sqrt(square)};
    }
}

/// Chooses the window's position: everything that does not depend on the class.
void drawPlace(MoveRecipe& recipe, double shortSide, SampleRandom& random)
{
    const PixelWindow& region = recipe.region;
    recipe.centre = {double(region.left) + random.uniform() * double(region.width),
                     double(region.top) + random.uniform() * double(region.height)};
    const Point direction = drawDirection(random);
    recipe.cosine = direction.x;
    recipe.sine = direction.y;
    recipe.mirrored = random.chance(0.5);
    recipe.side = shortSide * random.uniform(0.45, 0.85);
}

/// Chooses the motion. A zoom by g goes from 1 + g to 1 − g; without a zoom the side is constant, from that range.
void drawMotion(MoveRecipe& recipe, Move move, SampleRandom& random)
{
    const double pan = random.uniform(0.2, 0.45), zoom = random.uniform(0.2, 0.4),
                 turn = random.uniform(0.165, 0.364);
    const double phase = random.uniform(-1, 1);
    recipe.shift = {random.uniform(-0.04, 0.04), random.uniform(-0.04, 0.04)};
    recipe.enlargement = random.uniform(-0.02, 0.02);
    recipe.halfTangent = random.uniform(-0.02, 0.02);
    switch (move) {
    case Move::PanDown:
    case Move::PanUp:
        recipe.shift.y = move == Move::PanDown ? pan : -pan;
        break;
    case Move::PanLeft:
    case Move::PanRight:
        recipe.shift.x = move == Move::PanRight ? pan : -pan;
        break;
    case Move::RotateLeft:
    case Move::RotateRight:
        recipe.halfTangent = move == Move::RotateRight ? turn : -turn;
        break;
    case Move::ZoomIn:
    case Move::ZoomOut:
        recipe.enlargement = move == Move::ZoomOut ? zoom : -zoom;
        return;
    }
    recipe.side *= 1 + zoom * phase;
}

/// The window at one time: its pixel (u, v), from −½ to ½, is at origin + u · right + v · down.
struct Window {
    Point origin, right, down;

    Point at(double u, double v) const
    {
        return {origin.x + u * right.x + v * down.x, origin.y + u * right.y + v * down.y};
    }
};

Window windowAt(const MoveRecipe& recipe, double time)
{
    const double t = recipe.halfTangent * time;
    const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    const double side = recipe.side * (1 + recipe.enlargement * time), flip = recipe.mirrored ? -1 : 1;
    const auto toPhoto = [&](double x, double y) {
        return Point{recipe.cosine * flip * x - recipe.sine * y, recipe.sine * flip * x + recipe.cosine * y};
    };
    const Point way = toPhoto(recipe.shift.x * recipe.side * time, recipe.shift.y * recipe.side * time);
    return {{recipe.centre.x + way.x, recipe.centre.y + way.y},
            toPhoto(cosine * side, sine * side),
            toPhoto(-sine * side, cosine * side)};
}

/// Renders one frame. If one of its pixels covers more than one of the photograph, it is the mean of several samples.
void renderFrame(const RegionSampler& sampler, const Window& window, uint8_t* out)
{
    const double span = std::sqrt(window.right.x * window.right.x + window.right.y * window.right.y);
    const auto samples = std::clamp<int64_t>(int64_t(std::ceil(span / double(moveSide))), 1, 8);
    const double step = 1 / double(moveSide * samples), weight = 1 / double(samples * samples);
    for (int64_t y = 0; y < moveSide; ++y) {
        for (int64_t x = 0; x < moveSide; ++x) {
            Rgb sum{};
            for (int64_t j = y * samples; j < (y + 1) * samples; ++j) {
                for (int64_t i = x * samples; i < (x + 1) * samples; ++i) {
                    const Rgb value = sampler.at(
                        window.at((double(i) + 0.5) * step - 0.5, (double(j) + 0.5) * step - 0.5));
                    for (size_t c = 0; c < 3; ++c)
                        sum[c] += value[c];
                }
            }
            for (const double value : sum)
                *out++ = toByte(value * weight);
        }
    }
}

}

size_t photoOf(const MoveKey& key)
{
    std::vector<size_t> movable;
    for (size_t i = 0; i < scenePhotos().size(); ++i)
        if (scenePhotos()[i].movable)
            movable.push_back(i);
    return movable[key.index % movable.size()];
}

MoveRecipe drawMove(const Clip& photo, const MoveKey& key)
{
    const ScenePhoto& info = scenePhotos()[photoOf(key)];
    const std::vector<PixelWindow> regions = regionsOf(info, photo.width, photo.height, key.split);
    const FrameSize room = roomEverywhere(info, photo.width, photo.height);
    SampleRandom random(streamOf(key));
    MoveRecipe best;
    double most = -1;
    for (int attempt = 0; attempt < 24 && most < minDetail; ++attempt) {
        MoveRecipe recipe;
        recipe.region = drawRegion(regions, random);
        drawPlace(recipe, double(std::min(room.width, room.height)), random);
        const Window window = windowAt(recipe, 0);
        const auto at = [&](double u, double v) { return window.at(u - 0.5, v - 0.5); };
        if (const double detail = detailOf(RegionSampler(photo, recipe.region), 32, at); detail > most) {
            most = detail;
            best = recipe;
        }
    }
    drawMotion(best, key.move, random);
    best.light = drawLight(random);
    return best;
}

Clip renderMoveFrame(const Clip& photo, const MoveRecipe& recipe, int64_t frame)
{
    Clip image = blankClip(1, moveSide, moveSide);
    const double time = double(2 * frame - (moveFrames - 1)) / double(moveFrames - 1);
    renderFrame(RegionSampler(photo, recipe.region), windowAt(recipe, time), image.pixels.data());
    applyLight(image, recipe.light);
    return image;
}

Clip renderMove(const Clip& photo, const MoveKey& key)
{
    const MoveRecipe recipe = drawMove(photo, key);
    Clip clip{moveFrames, moveSide, moveSide, {}, {}, {}};
    clip.pixels.reserve(size_t(moveFrames * moveSide * moveSide * 3));
    for (int64_t t = 0; t < moveFrames; ++t) {
        const Clip frame = renderMoveFrame(photo, recipe, t);
        clip.pixels.insert(clip.pixels.end(), frame.pixels.begin(), frame.pixels.end());
    }
    return clip;
}

}

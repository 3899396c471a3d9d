// SPDX-License-Identifier: Apache-2.0
#include "core/scenes/camera_move.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

constexpr double leastDetail = 5;  // grey levels between neighbours, mean over the frame

StreamKey streamOf(const MoveKey& key)
{
    const auto stream = static_cast<std::uint32_t>(static_cast<std::size_t>(key.move) * 2
                                                   + (key.split == Split::Validation ? 1 : 0));
    return {key.seed, stream, key.index, streamPurpose("move")};
}

const std::vector<std::size_t>& movablePhotos()
{
    static const std::vector<std::size_t> numbers = [] {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < scenePhotos().size(); ++i)
            if (scenePhotos()[i].movable)
                found.push_back(i);
        return found;
    }();
    return numbers;
}

/// A uniform direction without the library's cosine: a point of the unit disc, put on its rim.
Point drawDirection(SampleRandom& random)
{
    for (;;) {
        const Point point{random.uniform(-1, 1), random.uniform(-1, 1)};
        const double square = point.x * point.x + point.y * point.y;
        if (square > 0.01 && square <= 1)
            return {point.x / std::sqrt(square), point.y / std::sqrt(square)};
    }
}

/// Where the window is: what does not depend on the class.
void drawPlace(MoveRecipe& recipe, double shortSide, SampleRandom& random)
{
    const Region& region = recipe.region;
    recipe.centre = {static_cast<double>(region.left) + random.uniform() * static_cast<double>(region.width),
                     static_cast<double>(region.top) + random.uniform() * static_cast<double>(region.height)};
    const Point direction = drawDirection(random);
    recipe.cosine = direction.x;
    recipe.sine = direction.y;
    recipe.mirrored = random.chance(0.5);
    recipe.side = shortSide * random.uniform(0.45, 0.85);
}

/// How it moves. A zoom by g goes from 1 + g to 1 − g; what does not zoom has a side from that range.
void drawMotion(MoveRecipe& recipe, Move move, SampleRandom& random)
{
    const double pan = random.uniform(0.2, 0.45), zoom = random.uniform(0.2, 0.4),
                 turn = random.uniform(0.165, 0.364);
    const double moment = random.uniform(-1, 1);
    recipe.shift = {random.uniform(-0.04, 0.04), random.uniform(-0.04, 0.04)};
    recipe.growth = random.uniform(-0.02, 0.02);
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
        recipe.growth = move == Move::ZoomOut ? zoom : -zoom;
        return;
    }
    recipe.side *= 1 + zoom * moment;
}

/// The window at a moment: pixel (u, v) of it, from −½ to ½, is at origin + u · right + v · down.
struct Window {
    Point origin, right, down;
};

Window windowAt(const MoveRecipe& recipe, double time)
{
    const double t = recipe.halfTangent * time;
    const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    const double side = recipe.side * (1 + recipe.growth * time), flip = recipe.mirrored ? -1 : 1;
    const auto toPhoto = [&](double x, double y) {
        return Point{recipe.cosine * flip * x - recipe.sine * y, recipe.sine * flip * x + recipe.cosine * y};
    };
    const Point way = toPhoto(recipe.shift.x * recipe.side * time, recipe.shift.y * recipe.side * time);
    return {{recipe.centre.x + way.x, recipe.centre.y + way.y},
            toPhoto(cosine * side, sine * side),
            toPhoto(-sine * side, cosine * side)};
}

/// One frame. Where a pixel of it covers more than one of the photograph, it is the mean of several samples.
void renderFrame(const RegionSampler& sampler, const Window& window, std::uint8_t* out)
{
    const double span = std::sqrt(window.right.x * window.right.x + window.right.y * window.right.y);
    const auto samples = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(span / static_cast<double>(moveSide))), 1, 8);
    const double step = 1 / static_cast<double>(moveSide * samples),
                 share = 1 / static_cast<double>(samples * samples);
    for (std::int64_t y = 0; y < moveSide; ++y) {
        for (std::int64_t x = 0; x < moveSide; ++x) {
            Rgb sum{};
            for (std::int64_t i = 0; i < samples * samples; ++i) {
                const double u = (static_cast<double>(x * samples + i % samples) + 0.5) * step - 0.5;
                const double v = (static_cast<double>(y * samples + i / samples) + 0.5) * step - 0.5;
                const Rgb value = sampler.at({window.origin.x + u * window.right.x + v * window.down.x,
                                              window.origin.y + u * window.right.y + v * window.down.y});
                for (std::size_t c = 0; c < 3; ++c)
                    sum[c] += value[c];
            }
            for (const double value : sum)
                *out++ = toByte(value * share);
        }
    }
}

/// Mean difference of neighbours in green, along rows and columns.
double detailOf(const std::vector<std::uint8_t>& frame)
{
    std::int64_t sum = 0;
    for (std::int64_t y = 0; y + 1 < moveSide; ++y) {
        for (std::int64_t x = 0; x + 1 < moveSide; ++x) {
            const std::uint8_t* at = frame.data() + (y * moveSide + x) * 3 + 1;
            sum += std::abs(at[3] - at[0]) + std::abs(at[moveSide * 3] - at[0]);
        }
    }
    return static_cast<double>(sum) / static_cast<double>((moveSide - 1) * (moveSide - 1));
}

}  // namespace

std::size_t photoOf(const MoveKey& key)
{
    return movablePhotos()[key.index % movablePhotos().size()];
}

MoveRecipe drawMove(const Clip& photo, const MoveKey& key)
{
    const ScenePhoto& facts = scenePhotos()[photoOf(key)];
    const std::vector<Region> regions = regionsOf(facts, photo.width, photo.height, key.split);
    const RoomEverywhere room = roomEverywhere(facts, photo.width, photo.height);
    SampleRandom random(streamOf(key));
    MoveRecipe best;
    double most = -1;
    std::vector<std::uint8_t> middle(static_cast<std::size_t>(moveSide * moveSide * 3));
    for (int attempt = 0; attempt < 24 && most < leastDetail; ++attempt) {
        MoveRecipe recipe;
        recipe.region = drawRegion(regions, random);
        drawPlace(recipe, static_cast<double>(std::min(room.width, room.height)), random);
        renderFrame(RegionSampler(photo, recipe.region), windowAt(recipe, 0), middle.data());
        if (const double detail = detailOf(middle); detail > most) {
            most = detail;
            best = recipe;
        }
    }
    drawMotion(best, key.move, random);
    best.light = drawLight(random);
    return best;
}

Clip renderMove(const Clip& photo, const MoveKey& key)
{
    const MoveRecipe recipe = drawMove(photo, key);
    const RegionSampler sampler(photo, recipe.region);
    Clip clip{moveFrames, moveSide, moveSide, {}, {}, {}};
    const std::int64_t frameBytes = moveSide * moveSide * 3;
    clip.pixels.resize(static_cast<std::size_t>(moveFrames * frameBytes));
    for (std::int64_t t = 0; t < moveFrames; ++t) {
        const double time = static_cast<double>(2 * t - (moveFrames - 1)) / static_cast<double>(moveFrames - 1);
        renderFrame(sampler, windowAt(recipe, time), clip.pixels.data() + t * frameBytes);
    }
    applyLight(clip, recipe.light);
    return clip;
}

}  // namespace attnscope

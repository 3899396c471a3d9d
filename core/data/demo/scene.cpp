#include "core/data/demo/scene.h"

#include "core/data/preprocess/transform.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

StreamKey streamOf(const SceneKey& key, std::string_view purpose)
{
    const auto stream = uint32_t(key.photo * 2 + (key.split == Split::Validation ? 1 : 0));
    return {key.seed, stream, key.index, streamPurpose(purpose)};
}

/// A unit square around 0, rotated and distorted.
std::array<Point, 4> drawQuad(SampleRandom& random)
{
    // Cosine and sine from the tangent of half the angle, as the library's differ between machines.
    constexpr double largest = 0.13165;  // tan(7.5°)
    const double t = random.uniform(-largest, largest);
    const double cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
    const double stretch = random.uniform(0.9, 1.1);
    std::array<Point, 4> quad{{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}};
    for (Point& corner : quad) {
        const double x = corner.x * stretch + random.uniform(-0.06, 0.06),
                     y = corner.y + random.uniform(-0.06, 0.06);
        corner = {cosine * x - sine * y, sine * x + cosine * y};
    }
    return quad;
}

CropRectangle boxAround(const std::array<Point, 4>& quad)
{
    Point low = quad[0], high = quad[0];
    for (const Point& corner : quad) {
        low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
        high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

/// The quad at a uniform position in `region`, scaled.
std::array<Point, 4> placed(std::array<Point, 4> quad, double side, const PixelWindow& region,
                            SampleRandom& random)
{
    const CropRectangle box = boxAround(quad);
    const double freeX = double(region.width) - side * box.width;
    const double freeY = double(region.height) - side * box.height;
    const double left = double(region.left) + random.uniform() * freeX;
    const double top = double(region.top) + random.uniform() * freeY;
    for (Point& corner : quad)
        corner = {left + side * (corner.x - box.left), top + side * (corner.y - box.top)};
    return quad;
}

Occluder drawOccluder(SampleRandom& random)
{
    const auto side = double(sceneSide);
    const auto randomSide = [&] { return int64_t(side * random.uniform(0.2, 0.45)); };
    Occluder occluder;
    occluder.box.width = randomSide();
    occluder.box.height = randomSide();
    occluder.box.left = random.below(sceneSide - occluder.box.width + 1);
    occluder.box.top = random.below(sceneSide - occluder.box.height + 1);
    for (uint8_t& value : occluder.colour)
        value = uint8_t(random.below(256));
    return occluder;
}

/// The map of the unit square to a quadrilateral: (a·u + b·v + c, d·u + e·v + f) / (g·u + h·v + 1); Heckbert, 1989.
struct Projection {
    double a, b, c, d, e, f, g, h;

    explicit Projection(const std::array<Point, 4>& q)
    {
        const double dx1 = q[1].x - q[2].x, dx2 = q[3].x - q[2].x, sx = q[0].x - q[1].x + q[2].x - q[3].x;
        const double dy1 = q[1].y - q[2].y, dy2 = q[3].y - q[2].y, sy = q[0].y - q[1].y + q[2].y - q[3].y;
        const double determinant = dx1 * dy2 - dx2 * dy1;
        g = (sx * dy2 - dx2 * sy) / determinant;
        h = (dx1 * sy - sx * dy1) / determinant;
        a = q[1].x - q[0].x + g * q[1].x;
        b = q[3].x - q[0].x + h * q[3].x;
        c = q[0].x;
        d = q[1].y - q[0].y + g * q[1].y;
        e = q[3].y - q[0].y + h * q[3].y;
        f = q[0].y;
    }

    Point at(double u, double v) const
    {
        const double scale = 1 / (g * u + h * v + 1);
        return {(a * u + b * v + c) * scale, (d * u + e * v + f) * scale};
    }
};

Clip warped(const RegionSampler& sampler, const std::array<Point, 4>& corners)
{
    const Projection projection(corners);
    Clip crop{1, sceneSide, sceneSide, {}, {}, {}};
    crop.pixels.reserve(size_t(sceneSide * sceneSide * 3));
    const auto side = double(sceneSide);
    for (int64_t y = 0; y < sceneSide; ++y) {
        const double v = (double(y) + 0.5) / side;
        for (int64_t x = 0; x < sceneSide; ++x)
            for (const double value : sampler.at(projection.at((double(x) + 0.5) / side, v)))
                crop.pixels.push_back(toByte(value));
    }
    return crop;
}

/// The position in the photograph: the first with enough detail, else the one with most.
SceneRecipe drawView(const Clip& photo, const SceneKey& key, SampleRandom& random)
{
    constexpr double minDetail = 3;      // grey levels
    constexpr double largestSide = 204;  // pixels: crops are enlarged, so that bilinear interpolation suffices
    const ScenePhoto& info = scenePhotos()[key.photo];
    const std::vector<PixelWindow> regions = regionsOf(info, photo.width, photo.height, key.split);
    const FrameSize room = roomEverywhere(info, photo.width, photo.height);
    SceneRecipe best;
    double most = -1;
    for (int attempt = 0; attempt < 8 && most < minDetail; ++attempt) {
        const std::array<Point, 4> quad = drawQuad(random);
        const CropRectangle box = boxAround(quad);
        const double largest = std::min(
            {double(room.width) / box.width, double(room.height) / box.height, largestSide});
        SceneRecipe recipe;
        recipe.region = drawRegion(regions, random);
        recipe.corners = placed(quad, largest * random.uniform(0.6, 1), recipe.region, random);
        const Projection projection(recipe.corners);
        const auto at = [&](double u, double v) { return projection.at(u, v); };
        if (const double detail = detailOf(RegionSampler(photo, recipe.region), 24, at); detail > most) {
            most = detail;
            best = recipe;
        }
    }
    return best;
}

/// (1 2 1)/4 over columns, then over rows; edges are replicated.
void blur(Clip& crop)
{
    const auto mixed = [](int before, int here, int after) {
        return uint8_t((before + 2 * here + after + 2) / 4);
    };
    const int64_t rowBytes = crop.width * 3;
    std::vector<uint8_t> between(crop.pixels.size());
    for (int64_t y = 0; y < crop.height; ++y) {
        const uint8_t* row = crop.pixels.data() + y * rowBytes;
        const uint8_t* above = y > 0 ? row - rowBytes : row;
        const uint8_t* below = y + 1 < crop.height ? row + rowBytes : row;
        for (int64_t i = 0; i < rowBytes; ++i)
            between[size_t(y * rowBytes + i)] = mixed(above[i], row[i], below[i]);
    }
    for (int64_t y = 0; y < crop.height; ++y) {
        const uint8_t* row = between.data() + y * rowBytes;
        for (int64_t i = 0; i < rowBytes; ++i)
            crop.pixels[size_t(y * rowBytes + i)] = mixed(row[i >= 3 ? i - 3 : i], row[i],
                                                          row[i + 3 < rowBytes ? i + 3 : i]);
    }
}

/// Approximately normal: the sum of four uniform numbers, of variance ⅓. Sums are the same on every machine.
void addNoise(Clip& crop, double stddev, const StreamKey& key)
{
    std::vector<float> numbers(crop.pixels.size() * 4);
    fillUniform(key, 0, numbers);
    const double scale = stddev * 1.7320508;  // √3
    for (size_t i = 0; i < crop.pixels.size(); ++i) {
        const double sum = double(numbers[4 * i]) + numbers[4 * i + 1] + numbers[4 * i + 2] + numbers[4 * i + 3];
        crop.pixels[i] = toByte(crop.pixels[i] + scale * (sum - 2));
    }
}

void cover(Clip& crop, const Occluder& occluder)
{
    for (int64_t y = occluder.box.top; y < occluder.box.top + occluder.box.height; ++y)
        for (int64_t x = occluder.box.left; x < occluder.box.left + occluder.box.width; ++x)
            std::ranges::copy(occluder.colour, crop.pixels.begin() + (y * crop.width + x) * 3);
}

}

SceneRecipe drawScene(const Clip& photo, const SceneKey& key)
{
    SampleRandom random(streamOf(key, "scene"));
    SceneRecipe recipe = drawView(photo, key, random);
    recipe.light = drawLight(random);
    if (random.chance(0.3))
        recipe.blur = 1 + int(random.below(3));
    if (random.chance(0.5))
        recipe.noise = random.uniform(0, 10);
    if (random.chance(0.3))
        recipe.occluder = drawOccluder(random);
    return recipe;
}

Clip renderScene(const Clip& photo, const SceneKey& key)
{
    const SceneRecipe recipe = drawScene(photo, key);
    Clip crop = warped(RegionSampler(photo, recipe.region), recipe.corners);
    for (int i = 0; i < recipe.blur; ++i)
        blur(crop);
    applyLight(crop, recipe.light);
    if (recipe.noise > 0)
        addNoise(crop, recipe.noise, streamOf(key, "noise"));
    if (recipe.occluder)
        cover(crop, *recipe.occluder);
    return crop;
}

}

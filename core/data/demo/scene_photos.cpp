#include "core/data/demo/scene_photos.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr int64_t gap = 16;  // block size of a JPEG with subsampled chroma

// If a photograph changes from one end to the other, the band is in the middle; else it is at an end, and therefore larger. The band of the
// clock starts in the clock's middle, that of the rocket next to the rocket.
constexpr std::array<ScenePhoto, 12> photos{{
    {"astronaut", Cut::TopToBottom, 0.36, 0.68},
    {"brick"},
    {"cat"},
    {"clock", Cut::LeftToRight, 0.55, 1, false},
    {"coffee"},
    {"coins"},
    {"galaxies"},
    {"grass"},
    {"gravel"},
    {"photographer", Cut::TopToBottom, 0.34, 0.66},
    {"retina"},
    {"rocket", Cut::LeftToRight, 0.56, 1},
}};

int64_t fractionOf(int64_t side, double fraction)
{
    return int64_t(double(side) * fraction);
}

}

std::string splitName(Split split)
{
    return split == Split::Training ? "train" : "val";
}

std::span<const ScenePhoto> scenePhotos()
{
    return photos;
}

std::vector<PixelWindow> regionsOf(const ScenePhoto& photo, int64_t width, int64_t height, Split split)
{
    const bool across = photo.cut == Cut::LeftToRight;
    const int64_t side = across ? width : height;
    const int64_t begin = fractionOf(side, photo.begin), end = fractionOf(side, photo.end);
    std::vector<PixelWindow> regions;
    const auto add = [&](int64_t first, int64_t last) {
        if (last > first)
            regions.push_back(across ? PixelWindow{first, 0, last - first, height}
                                     : PixelWindow{0, first, width, last - first});
    };
    if (split == Split::Validation) {
        add(begin, end);
    } else {
        add(0, begin - gap);
        add(end + gap, side);
    }
    return regions;
}

FrameSize roomEverywhere(const ScenePhoto& photo, int64_t width, int64_t height)
{
    FrameSize room{width, height};
    for (const Split split : {Split::Training, Split::Validation})
        for (const PixelWindow& region : regionsOf(photo, width, height, split))
            room = {std::min(room.width, region.width), std::min(room.height, region.height)};
    return room;
}

}

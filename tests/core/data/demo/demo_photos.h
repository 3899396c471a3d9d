#pragma once

#include "core/data/demo/scene_photos.h"
#include "core/media/image/image_reader.h"

#include <cstdint>
#include <vector>

/// The shipped photographs, and what tests ask of images made of them.
namespace attnscope::test {

inline const std::vector<Clip>& demoPhotos()
{
    static const std::vector<Clip> photos = [] {
        std::vector<Clip> read;
        for (const ScenePhoto& photo : scenePhotos())
            read.push_back(
                readImage(std::string(RESOURCE_DIR "/demo/photos/") + std::string(photo.name) + ".jpg"));
        return read;
    }();
    return photos;
}

inline bool lies(int64_t x, int64_t y, const std::vector<PixelWindow>& regions)
{
    for (const PixelWindow& region : regions)
        if (x >= region.left && x < region.left + region.width && y >= region.top
            && y < region.top + region.height)
            return true;
    return false;
}

/// The photograph with everything outside a split's regions replaced.
inline Clip spoiledOutside(const Clip& photo, const std::vector<PixelWindow>& regions)
{
    Clip spoiled = photo;
    for (int64_t y = 0; y < photo.height; ++y)
        for (int64_t x = 0; x < photo.width; ++x)
            for (int64_t c = 0; c < 3 && !lies(x, y, regions); ++c)
                spoiled.pixels[size_t((y * photo.width + x) * 3 + c)] ^= 0xa5;
    return spoiled;
}

/// An image that no decoder had a hand in: coarse noise.
inline Clip madePhoto(int64_t width, int64_t height)
{
    Clip photo{1, height, width, {}, {}, {}};
    for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x)
            for (int64_t c = 0; c < 3; ++c) {
                auto state = uint32_t((y / 9) * 7919 + (x / 9) * 104729 + c * 1299709);
                state = (state ^ (state >> 15)) * 0x2c1b3c6du;
                photo.pixels.push_back(uint8_t((state ^ (state >> 12)) >> 8));
            }
    return photo;
}

inline uint64_t hashOf(const std::vector<uint8_t>& bytes)
{
    uint64_t hash = 14695981039346656037u;
    for (const uint8_t byte : bytes)
        hash = (hash ^ byte) * 1099511628211u;
    return hash;
}

}

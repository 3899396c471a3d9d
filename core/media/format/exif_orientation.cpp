#include "core/media/format/exif_orientation.h"

#include "core/base/first_bytes.h"
#include "core/media/format/header_reader.h"

#include <cstring>
#include <string_view>

namespace attnscope {

namespace {

using namespace std::string_view_literals;

/// Where the pixels of the rotated image come from: source index = start + x · right + y · down.
struct Walk {
    int64_t start, right, down;
};

Walk walk(int orientation, int64_t width, int64_t height)
{
    const int64_t lastColumn = width - 1;
    const int64_t lastRow = (height - 1) * width;
    switch (orientation) {
    case 2:
        return {lastColumn, -1, width};
    case 3:
        return {lastRow + lastColumn, -1, -width};
    case 4:
        return {lastRow, 1, -width};
    case 5:
        return {0, width, 1};
    case 6:
        return {lastRow, -width, 1};
    case 7:
        return {lastRow + lastColumn, -width, -1};
    case 8:
        return {lastColumn, width, -1};
    default:
        return {0, 1, width};
    }
}

}

int exifOrientation(std::span<const uint8_t> block)
{
    if (hasText(block, 0, "Exif\0\0"sv))
        block = block.subspan(6);
    const bool bigEndian = hasText(block, 0, "MM\0*"sv);
    if (!bigEndian && !hasText(block, 0, "II*\0"sv))
        return 1;
    // 0 beyond the block's end, which is not accepted as a valid value below.
    const std::endian order = bigEndian ? std::endian::big : std::endian::little;
    const auto number = [&](uint64_t at, size_t bytes) {
        return at + bytes > block.size() ? 0 : integerOf(block.subspan(at, bytes), order);
    };
    const uint64_t directory = number(4, 4), entries = number(directory, 2);
    // A block of 20 bytes may claim 65,535 entries: those beyond its end are ignored.
    for (uint64_t i = 0, entry = directory + 2; i < entries && entry < block.size(); ++i, entry += 12) {
        constexpr uint64_t orientationTag = 0x0112, shortType = 3;
        if (number(entry, 2) != orientationTag)
            continue;
        const uint64_t value = number(entry + 8, 2);
        const bool isValid = number(entry + 2, 2) == shortType && value >= 1 && value <= 8;
        return isValid ? int(value) : 1;
    }
    return 1;
}

void applyOrientation(Clip& clip, int orientation)
{
    if (orientation <= 1 || orientation > 8)
        return;
    const Walk way = walk(orientation, clip.width, clip.height);
    std::vector<uint8_t> turned(clip.pixels.size());
    const int64_t width = orientation >= 5 ? clip.height : clip.width;
    const int64_t height = orientation >= 5 ? clip.width : clip.height;
    uint8_t* to = turned.data();
    for (int64_t t = 0; t < clip.frames; ++t)
        for (int64_t y = 0; y < height; ++y)
            for (int64_t x = 0; x < width; ++x, to += 3)
                std::memcpy(to, clip.frame(t) + (way.start + x * way.right + y * way.down) * 3, 3);
    clip.pixels = std::move(turned);
    clip.width = width;
    clip.height = height;
    clip.orientation = 1;
}

}

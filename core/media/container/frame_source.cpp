#include "core/media/container/frame_source.h"

#include "core/base/error.h"
#include "core/media/format/exif_orientation.h"

#include <fmt/format.h>

#include <array>

namespace attnscope {

void FrameSource::appendTo(Clip& clip)
{
    if (clip.frames == 0) {
        clip.height = size().height;
        clip.width = size().width;
        clip.pixels.clear();
    }
    const auto bytes = size_t(clip.height * clip.width * 3);
    const size_t before = clip.pixels.size();
    clip.pixels.resize(before + bytes);
    try {
        writeRgb(clip.pixels.data() + before, clip.width * 3, {clip.width, clip.height});
    } catch (...) {
        clip.pixels.resize(before);
        throw;
    }
    ++clip.frames;
}

void turn(Clip& clip, int degrees)
{
    constexpr std::array orientations{1, 6, 3, 8};
    if (degrees % 90 != 0)
        throw UsageError("", fmt::format("a video cannot be rotated by {} degrees", degrees),
                         "0, 90, 180 and 270 are possible");
    applyOrientation(clip, orientations[size_t((degrees / 90 % 4 + 4) % 4)]);
}

}

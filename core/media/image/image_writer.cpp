#include "core/media/image/image_writer.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include <fmt/format.h>

namespace attnscope {

namespace {

/// OpenCV's channel order.
cv::Mat blueGreenRed(const Clip& clip, int64_t frame)
{
    cv::Mat image(int(clip.height), int(clip.width), CV_8UC3);
    const uint8_t* from = clip.frame(frame);
    for (int y = 0; y < image.rows; ++y) {
        auto* to = image.ptr<uint8_t>(y);
        for (int x = 0; x < image.cols; ++x, from += 3, to += 3) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
        }
    }
    return image;
}

/// A frame in the format with this suffix (".png") and name.
std::vector<uint8_t> encoded(const Clip& clip, int64_t frame, const std::string& suffix, const std::string& format,
                             const std::vector<int>& options)
{
    constexpr int64_t largest = 65'500;  // libjpeg's limit
    if (frame < 0 || frame >= clip.frames)
        throw UsageError(format, fmt::format("there is no frame {} in a clip of {}", frame, clip.frames));
    if (clip.width < 1 || clip.height < 1 || clip.width > largest || clip.height > largest)
        throw UsageError(format,
                         fmt::format("an image of {}×{} pixels cannot be written", clip.width, clip.height));
    std::vector<uint8_t> bytes;
    try {
        if (cv::imencode(suffix, blueGreenRed(clip, frame), bytes, options))
            return bytes;
    } catch (const cv::Exception& error) {
        throw Unsupported(format, "the image could not be encoded: " + error.err);
    }
    throw Unsupported(format, "the image could not be encoded", "build OpenCV with " + format);
}

void writeBytes(const std::filesystem::path& path, const std::vector<uint8_t>& bytes)
{
    writeFileAtomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}

std::vector<uint8_t> encodeJpeg(const Clip& clip, int64_t frame, int quality)
{
    if (quality < 1 || quality > 100)
        throw UsageError("JPEG", fmt::format("quality {} is out of range", quality), "give 1 to 100");
    return encoded(clip, frame, ".jpg", "JPEG", {cv::IMWRITE_JPEG_QUALITY, quality});
}

void writeJpeg(const std::filesystem::path& path, const Clip& clip, int64_t frame, int quality)
{
    writeBytes(path, encodeJpeg(clip, frame, quality));
}

void writePng(const std::filesystem::path& path, const Clip& clip, int64_t frame)
{
    writeBytes(path, encoded(clip, frame, ".png", "PNG", {}));
}

}

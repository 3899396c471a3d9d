// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_reader.h"

#include "core/base/error.h"
#include "core/media/exif_orientation.h"
#include "core/media/image_gate.h"

#include <opencv2/imgcodecs.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace attnscope {

namespace {

std::vector<std::uint8_t> readAll(const std::filesystem::path& path, const Limits& limits)
{
    const std::string name = path.string();
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        throw FileError(name, errno == ENOENT ? "there is no such file" : std::string("it cannot be opened (") + std::strerror(errno) + ")",
                        "check the path and its permissions");
    const struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{descriptor};
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        throw FileError(name, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file", "give a picture");
    if (status.st_size > limits.imageBytes)
        throw FileError(name, "it is larger than " + std::to_string(limits.imageBytes >> 20) + " MiB",
                        "give a smaller picture, or raise the limit");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(status.st_size));
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t got = ::read(descriptor, bytes.data() + at, bytes.size() - at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            throw FileError(name, "it cannot be read to its end", "check the disk");
        at += static_cast<std::size_t>(got);
    }
    return bytes;
}

cv::Mat decode(std::span<const std::uint8_t> bytes, const std::string& name, const ImageHeader& header)
{
    const cv::Mat input(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));  // not written to
    cv::Mat picture;
    try {
        picture = cv::imdecode(input, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
    } catch (const cv::Exception&) {
        picture.release();
    } catch (const std::bad_alloc&) {
        throw FileError(name, "there is not enough memory for it", "give a smaller picture");
    }
    if (picture.empty())
        throw FileError(name, "the " + header.format + " is damaged and cannot be decoded", "copy or save it again");
    if (picture.type() != CV_8UC3 || picture.cols != header.width || picture.rows != header.height)
        throw FileError(name, "the " + header.format + " decodes to something else than its header says", "save it again");
    return picture;
}

/// Where pixel (x, y) of the picture goes when orientation o (2 … 8) is undone.
struct Placement {
    std::int64_t width, height;
    int orientation;

    bool swapsSides() const { return orientation >= 5; }

    std::int64_t index(std::int64_t x, std::int64_t y) const
    {
        const bool flipX = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
        const bool flipY = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
        const std::int64_t u = flipX ? width - 1 - x : x, v = flipY ? height - 1 - y : y;
        return swapsSides() ? u * height + v : v * width + u;
    }
};

Clip toClip(const cv::Mat& picture, int orientation)
{
    const Placement place{picture.cols, picture.rows, orientation};
    Clip clip;
    clip.frames = 1;
    clip.width = place.swapsSides() ? picture.rows : picture.cols;
    clip.height = place.swapsSides() ? picture.cols : picture.rows;
    clip.pixels.resize(static_cast<std::size_t>(clip.width * clip.height * 3));
    for (std::int64_t y = 0; y < picture.rows; ++y) {
        const std::uint8_t* row = picture.ptr<std::uint8_t>(static_cast<int>(y));
        for (std::int64_t x = 0; x < picture.cols; ++x) {
            std::uint8_t* out = clip.pixels.data() + 3 * place.index(x, y);
            out[0] = row[3 * x + 2];  // OpenCV's order is blue, green, red
            out[1] = row[3 * x + 1];
            out[2] = row[3 * x];
        }
    }
    return clip;
}

}  // namespace

Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options)
{
    const auto bytes = readAll(path, options.limits);
    return readImage(bytes, path.string(), options);
}

Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options)
{
    const ImageHeader header = inspectImage(bytes, name, options.limits);
    const int orientation = exifOrientation(bytes);
    const bool apply = options.orientation == Orientation::Apply;
    Clip clip = toClip(decode(bytes, name, header), apply ? orientation : 1);
    clip.format = header.format;
    if (header.sixteenBit)
        clip.notes.emplace_back("16-bit values keep their high byte");
    if (orientation != 1)
        clip.notes.emplace_back(apply ? "rotated as its EXIF note says" : "its EXIF rotation is ignored, as the published evaluations do");
    return clip;
}

}  // namespace attnscope

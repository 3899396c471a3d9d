// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_reader.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/media/exif_orientation.h"
#include "core/media/image_gate.h"
#include "core/media/pnm.h"

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

namespace attnscope {

namespace {

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path)
        : m_name(path.string())
        // Without O_NONBLOCK a pipe would wait for its writer.
        , m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
        if (m_descriptor < 0)
            failRead();
    }
    ~OpenFile() { ::close(m_descriptor); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    std::int64_t regularSize() const
    {
        struct stat status {};
        if (::fstat(m_descriptor, &status) != 0)
            failRead();
        if (S_ISDIR(status.st_mode))
            throw FileError(m_name, "this is a folder", "give a picture file");
        if (!S_ISREG(status.st_mode))
            throw FileError(m_name, "this is not a regular file", "give a picture file");
        return status.st_size;
    }

    /// Appends up to `count` bytes; fewer only at the end of the file.
    void append(std::vector<std::uint8_t>& bytes, std::int64_t count) const
    {
        std::size_t filled = bytes.size();
        bytes.resize(filled + static_cast<std::size_t>(count));
        while (filled < bytes.size()) {
            const ssize_t got = ::read(m_descriptor, bytes.data() + filled, bytes.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                failRead();
            if (got == 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
    }

private:
    [[noreturn]] void failRead() const
    {
        throw FileError(m_name, fmt::format("it cannot be read ({})", std::generic_category().message(errno)),
                        "check the name and its permissions");
    }

    std::string m_name;
    int m_descriptor;
};

std::vector<std::uint8_t> readBytes(const std::filesystem::path& path, const Limits& limits)
{
    const OpenFile file(path);
    const std::int64_t size = file.regularSize();
    const std::string name = path.string();
    if (size > limits.imageBytes)
        throw FileError(name, fmt::format("the file has {}", formatBytes(size).text()),
                        fmt::format("the limit for a picture is {}", formatBytes(limits.imageBytes).text()));
    // The signature first: what is no picture is not read to its end.
    constexpr std::int64_t signatureBytes = 512;
    std::vector<std::uint8_t> bytes;
    file.append(bytes, std::min(size, signatureBytes));
    checkSignature(bytes, name);
    file.append(bytes, size - static_cast<std::int64_t>(bytes.size()));
    return bytes;
}

/// OpenCV prints what it throws; the exception says it to us alone.
int printNothing(int, const char*, const char*, const char*, int, void*)
{
    return 0;
}

cv::Mat decodeWithOpenCv(std::span<const std::uint8_t> bytes, const std::string& name)
{
    cv::redirectError(printNothing);
    try {
        const cv::Mat encoded(1, static_cast<int>(bytes.size()), CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
        return cv::imdecode(encoded, cv::IMREAD_COLOR | cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION);
    } catch (const std::bad_alloc&) {
        throw FileError(name, "there is not enough memory to decode it", "close other programs");
    } catch (const std::exception&) {
        return {};  // told below, with what we know of the file
    }
}

/// BGR of 8 or 16 bits → RGB of 8.
template <typename Sample>
void copyReversed(const cv::Mat& from, std::vector<std::uint8_t>& pixels)
{
    constexpr int shift = 8 * (sizeof(Sample) - 1);
    std::uint8_t* to = pixels.data();
    for (int y = 0; y < from.rows; ++y) {
        const Sample* row = from.ptr<Sample>(y);
        for (int x = 0; x < from.cols; ++x, row += 3, to += 3) {
            to[0] = static_cast<std::uint8_t>(row[2] >> shift);
            to[1] = static_cast<std::uint8_t>(row[1] >> shift);
            to[2] = static_cast<std::uint8_t>(row[0] >> shift);
        }
    }
}

std::vector<std::uint8_t> decode(std::span<const std::uint8_t> bytes, const ImageHeader& header, const std::string& name)
{
    std::vector<std::uint8_t> patched;
    if (!header.patches.empty()) {
        patched.assign(bytes.begin(), bytes.end());
        for (const BytePatch& patch : header.patches)
            patched.at(static_cast<std::size_t>(patch.at)) = patch.value;
        bytes = patched;
    }
    const cv::Mat decoded = decodeWithOpenCv(bytes, name);
    if (decoded.rows != header.height || decoded.cols != header.width || decoded.channels() != 3
        || (decoded.depth() != CV_8U && decoded.depth() != CV_16U))
        throw FileError(name, fmt::format("its {} data are damaged", imageFormatName(header.format)),
                        "copy or export the picture again");
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(header.height * header.width * 3));
    if (decoded.depth() == CV_8U)
        copyReversed<std::uint8_t>(decoded, pixels);
    else
        copyReversed<std::uint16_t>(decoded, pixels);
    return pixels;
}

std::vector<std::string> notesOn(const ImageHeader& header)
{
    std::vector<std::string> notes;
    if (header.bitsPerSample == 16)
        notes.emplace_back("16 bits a channel were reduced to 8");
    if (header.transparency)
        notes.emplace_back("transparency was dropped");
    if (header.format == ImageFormat::Jpeg && header.channels == 4)
        notes.emplace_back("CMYK was converted to RGB without a colour profile");
    if (header.animated)
        notes.emplace_back("of an animation, the still picture was used");
    return notes;
}

/// A TIFF's orientation says how its rows lie, and the published loaders apply it too; EXIF's is a note beside a picture.
void orient(Clip& clip, const ImageHeader& header, Orientation orientation)
{
    if (header.orientation == 1)
        return;
    if (header.format == ImageFormat::Tiff || orientation == Orientation::Apply) {
        applyOrientation(clip, header.orientation);
        clip.notes.push_back(fmt::format("turned upright (EXIF orientation {})", header.orientation));
        return;
    }
    clip.notes.push_back(fmt::format("its rotation (EXIF orientation {}) was ignored, as the published evaluation does",
                                     header.orientation));
}

}  // namespace

Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options)
{
    return readImage(readBytes(path, options.limits), path.string(), options);
}

Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options)
{
    const ImageHeader header = inspectImage(bytes, name, options.limits);
    Clip clip;
    clip.frames = 1;
    clip.height = header.height;
    clip.width = header.width;
    clip.format = imageFormatName(header.format);
    clip.notes = notesOn(header);
    clip.pixels = header.format == ImageFormat::Pnm ? decodePnm(HeaderReader(bytes, name, options.limits))
                                                    : decode(bytes, header, name);
    orient(clip, header, options.orientation);
    return clip;
}

}  // namespace attnscope

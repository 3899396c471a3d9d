#include "core/media/video/folder_video.h"

#include "core/base/error.h"
#include "core/media/container/frame_folder.h"
#include "core/media/format/image_validator.h"
#include "core/media/image/image_reader.h"
#include "core/media/image/input_file.h"
#include "core/media/process/idle_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>

namespace attnscope {

namespace {

constexpr int64_t framesASecond = 30;
constexpr size_t maxEntries = 4'000'000;  ///< more than a day at 30 per second

/// Scales an image to another size by the scaler that videos use.
void scaleRgb(const Clip& image, uint8_t* rgb, int64_t stride, FrameSize size, const std::string& name)
{
    FramePointer frame(av_frame_alloc());
    if (!frame)
        throw FileError(name, "there is not enough memory for a frame", "close other programs");
    frame->width = int(image.width);
    frame->height = int(image.height);
    frame->format = AV_PIX_FMT_RGB24;
    // A copy with padding after every row: the scaler reads whole vectors.
    if (av_frame_get_buffer(frame.get(), 0) < 0)
        throw FileError(name, "there is not enough memory for a frame", "close other programs");
    const int64_t row = image.width * 3;
    for (int64_t y = 0; y < image.height; ++y) {
        uint8_t* const begin = frame->data[0] + y * frame->linesize[0];
        std::memcpy(begin, image.pixels.data() + y * row, size_t(row));
        // The scaler takes colour from pairs of pixels, so that an odd last one is padded.
        for (int64_t i = row; i < frame->linesize[0]; ++i)
            begin[i] = begin[i - 3];
    }
    RgbConverter().convert(*frame, rgb, stride, size, name);
}

}

FolderVideo::FolderVideo(const std::filesystem::path& folder, const VideoReadOptions& options,
                         std::stop_token stop)
    : m_folder(folder)
    , m_images(framesOf(folder, maxEntries))
    , m_limits(options.limits)
    , m_stop(std::move(stop))
    , m_refused(m_images.size())
{
    m_label = (folder / "").parent_path().filename().string();  // a path may end with a slash
    if (m_images.empty())
        throw FileError(folder.string(), "there is no image in this folder",
                        "give a video file or a folder of frames");
    m_limits.imagePixels = std::min(m_limits.imagePixels, m_limits.videoPixels);
    m_info.container = "frames";
    m_info.decoder = "individual images";
    m_info.pixelFormat = "rgb24";
    m_info.averageRate = {framesASecond, 1};
    m_info.timeBase = {1, framesASecond};
    m_info.frames = int64_t(m_images.size());
    m_info.duration = m_info.frames;
    if (!advance())
        throw FileError(folder.string(), "none of its images can be read", "copy the folder again");
    const ImageHeader header = inspectImage(m_encoded, m_images[size_t(pts())].string(), m_limits);
    m_info.codec = imageFormatName(header.format);
    m_info.width = header.width;
    m_info.height = header.height;
    m_info.start = pts();
    m_next = pts();
    m_info.notes.emplace_back("a folder of images, assumed to have 30 frames per second");
    if (options.isolated)
        m_decoder = IdlePool<DecoderProcess>::shared().take();
    if (options.isolated && !m_decoder)
        m_decoder = std::make_unique<DecoderProcess>();
}

FolderVideo::~FolderVideo()
{
    IdlePool<DecoderProcess>::shared().giveBack(std::move(m_decoder));
}

bool FolderVideo::advance()
{
    while (m_next < int64_t(m_images.size())) {
        if (m_stop.stop_requested())
            throw Cancelled();
        if (load(m_next++))
            return true;
    }
    m_encoded.clear();
    return false;
}

bool FolderVideo::load(int64_t frame)
{
    const auto index = size_t(frame);
    if (m_refused[index])
        return false;
    try {
        m_encoded = readImageFile(m_images[index], m_limits);
        const ImageHeader header = inspectImage(m_encoded, m_images[index].string(), m_limits);
        const bool otherSize = m_info.width != 0
                               && (header.width != m_info.width || header.height != m_info.height);
        m_damage.resized = m_damage.resized || otherSize;
        return true;
    } catch (const FileError&) {
        m_refused[index] = true;
        ++m_damage.skipped;
        return false;
    }
}

void FolderVideo::writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
{
    if (m_encoded.empty())
        throw UsageError(m_folder.string(), "there is no current frame", "advance() comes first");
    const std::string name = m_images[size_t(pts())].string();
    const ImageReadOptions options{Orientation::Ignore, m_limits};
    const Clip image = m_decoder ? m_decoder->read(m_encoded, name, options) : readImage(m_encoded, name, options);
    if (size != FrameSize{image.width, image.height})
        return scaleRgb(image, rgb, stride, size, name);
    const int64_t row = image.width * 3;
    for (int64_t y = 0; y < image.height; ++y)
        std::memcpy(rgb + y * stride, image.pixels.data() + y * row, size_t(row));
}

void FolderVideo::seek(int64_t pts)
{
    const auto count = int64_t(m_images.size());
    int64_t frame = std::clamp<int64_t>(pts, m_info.start, count - 1);
    // An image that can't be read is replaced by the previous one.
    while (frame > m_info.start && !load(frame))
        --frame;
    m_next = frame;
    m_encoded.clear();
}

}

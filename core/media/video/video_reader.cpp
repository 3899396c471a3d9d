#include "core/media/video/video_reader.h"

#include "core/base/first_bytes.h"
#include "core/media/container/frame_folder.h"
#include "core/media/container/video_validator.h"
#include "core/media/video/file_video.h"
#include "core/media/video/folder_video.h"
#include "core/media/video/video_process.h"

#include <system_error>

namespace attnscope {

namespace {

std::unique_ptr<VideoSource> openPath(const std::filesystem::path& path, const VideoReadOptions& options,
                                      std::stop_token stop)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return std::make_unique<FolderVideo>(path, options, std::move(stop));
    auto file = std::make_shared<const InputFile>(path, "give a video file or a folder of images");
    // A locked process reaches no GPU.
    if (options.isolated && !options.hardware)
        return std::make_unique<VideoProcess>(*file, options, std::move(stop));
    return std::make_unique<FileVideo>(std::move(file), "", options, std::move(stop));
}

}

VideoReader::VideoReader(const std::filesystem::path& path, VideoReadOptions options, std::stop_token stop)
    : m_source(openPath(path, options, std::move(stop)))
{}

VideoReader::VideoReader(std::unique_ptr<VideoSource> source)
    : m_source(std::move(source))
{}

VideoReader VideoReader::fromUrl(const std::string& url, VideoReadOptions options, std::stop_token stop)
{
    return VideoReader(std::make_unique<FileVideo>(nullptr, url, options, std::move(stop)));
}

VideoReader::~VideoReader() = default;
VideoReader::VideoReader(VideoReader&&) noexcept = default;
VideoReader& VideoReader::operator=(VideoReader&&) noexcept = default;

const VideoInfo& VideoReader::info() const
{
    return m_source->info();
}
FrameSize VideoReader::size() const
{
    return {info().width, info().height};
}
int VideoReader::rotation() const
{
    return info().rotation;
}
bool VideoReader::isLive() const
{
    return m_source->isLive();
}
bool VideoReader::advance()
{
    return m_source->advance();
}
int64_t VideoReader::pts() const
{
    return m_source->pts();
}

double VideoReader::seconds() const
{
    return double(pts() - info().start) * info().timeBase.value();
}

void VideoReader::writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
{
    m_source->writeRgb(rgb, stride, size);
}

void VideoReader::seek(int64_t pts)
{
    m_source->seek(pts);
}
std::string VideoReader::damage() const
{
    return m_source->damageSentence();
}

bool looksLikeVideo(const std::filesystem::path& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return looksLikeFrameFolder(path);
    return sniffVideo(firstBytes(path, videoSignatureBytes)) != nullptr;
}

}

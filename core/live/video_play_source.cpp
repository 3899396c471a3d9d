#include "core/live/video_play_source.h"

#include <cmath>
#include <utility>

namespace attnscope {

namespace {

/// Rates that no display has are errors of the container, but the clock needs one.
double usableRate(double rate)
{
    return std::isfinite(rate) && rate > 0.05 && rate < 1000 ? rate : 30;
}

SourceInfo infoOf(const VideoReader& reader, const std::filesystem::path& path)
{
    const VideoInfo& video = reader.info();
    SourceInfo info;
    info.name = path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
    info.format = video.codec + ", " + video.container;
    info.width = reader.size().width;
    info.height = reader.size().height;
    info.rotation = video.rotation;
    info.rate = usableRate(video.averageRate.value());
    info.unit = video.timeBase.value();
    info.start = video.start;
    if (video.duration)
        info.duration = double(*video.duration) * info.unit;
    info.seekable = video.seekable;
    info.live = reader.isLive();
    info.notes = video.notes;
    return info;
}

class VideoFile : public PlaySource {
public:
    VideoFile(const std::filesystem::path& path, const VideoReadOptions& options, std::stop_token stop)
        : m_reader(path, options, std::move(stop))
        , m_info(infoOf(m_reader, path))
    {}

    const SourceInfo& info() const override { return m_info; }
    bool advance() override { return m_reader.advance(); }
    int64_t pts() const override { return m_reader.pts(); }
    double seconds() const override { return m_reader.seconds(); }
    void write(uint8_t* rgb, int64_t stride) override { m_reader.writeRgb(rgb, stride); }
    void seek(int64_t pts) override { m_reader.seek(pts); }
    std::string damage() const override { return m_reader.damage(); }

private:
    VideoReader m_reader;
    SourceInfo m_info;
};

class LiveFrames : public PlaySource {
public:
    LiveFrames(std::unique_ptr<FrameSource> frames, const std::string& name, double rate)
        : m_frames(std::move(frames))
    {
        m_info.name = name;
        m_info.width = m_frames->size().width;
        m_info.height = m_frames->size().height;
        m_info.rotation = m_frames->rotation();
        m_info.rate = usableRate(rate);
        m_info.unit = 1e-6;
        m_info.seekable = false;
        m_info.live = true;
    }

    const SourceInfo& info() const override { return m_info; }
    bool advance() override { return m_frames->advance(); }
    int64_t pts() const override { return m_info.ptsAt(m_frames->seconds()); }
    double seconds() const override { return m_frames->seconds(); }
    void write(uint8_t* rgb, int64_t stride) override { m_frames->writeRgb(rgb, stride); }
    void seek(int64_t) override {}

private:
    std::unique_ptr<FrameSource> m_frames;
    SourceInfo m_info;
};

}

std::unique_ptr<PlaySource> playVideo(const std::filesystem::path& path, const VideoReadOptions& options,
                                      std::stop_token stop)
{
    return std::make_unique<VideoFile>(path, options, std::move(stop));
}

std::unique_ptr<PlaySource> playLive(std::unique_ptr<FrameSource> frames, const std::string& name, double rate)
{
    return std::make_unique<LiveFrames>(std::move(frames), name, rate);
}

}

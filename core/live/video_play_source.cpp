// SPDX-License-Identifier: Apache-2.0
#include "core/live/video_play_source.h"

#include <cmath>
#include <utility>

namespace attnscope {

namespace {

/// Rates that no display has are a container's mistake; the clock needs one all the same.
double usableRate(double rate)
{
    return std::isfinite(rate) && rate > 0.05 && rate < 1000 ? rate : 30;
}

SourceFacts factsOf(const VideoReader& reader, const std::filesystem::path& path)
{
    const VideoFacts& video = reader.facts();
    SourceFacts facts;
    facts.name = path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
    facts.format = video.codec + ", " + video.container;
    facts.width = reader.size().width;
    facts.height = reader.size().height;
    facts.rotation = video.rotation;
    facts.rate = usableRate(video.averageRate.value());
    facts.unit = video.timeBase.value();
    facts.start = video.start;
    if (video.duration)
        facts.duration = static_cast<double>(*video.duration) * facts.unit;
    facts.seekable = video.seekable;
    facts.live = reader.isLive();
    facts.notes = video.notes;
    return facts;
}

class VideoFile : public PlaySource {
public:
    VideoFile(const std::filesystem::path& path, const VideoReadOptions& options, std::stop_token stop)
        : m_reader(path, options, std::move(stop))
        , m_facts(factsOf(m_reader, path))
    {}

    const SourceFacts& facts() const override { return m_facts; }
    bool advance() override { return m_reader.advance(); }
    std::int64_t pts() const override { return m_reader.pts(); }
    double seconds() const override { return m_reader.seconds(); }
    void write(std::uint8_t* rgb, std::int64_t stride) override { m_reader.writeRgb(rgb, stride); }
    void seek(std::int64_t pts) override { m_reader.seek(pts); }
    std::string damage() const override { return m_reader.damage(); }

private:
    VideoReader m_reader;
    SourceFacts m_facts;
};

class LiveFrames : public PlaySource {
public:
    LiveFrames(std::unique_ptr<FrameSource> frames, const std::string& name, double rate)
        : m_frames(std::move(frames))
    {
        m_facts.name = name;
        m_facts.width = m_frames->size().width;
        m_facts.height = m_frames->size().height;
        m_facts.rotation = m_frames->rotation();
        m_facts.rate = usableRate(rate);
        m_facts.unit = 1e-6;
        m_facts.seekable = false;
        m_facts.live = true;
    }

    const SourceFacts& facts() const override { return m_facts; }
    bool advance() override { return m_frames->advance(); }
    std::int64_t pts() const override { return m_facts.ptsAt(m_frames->seconds()); }
    double seconds() const override { return m_frames->seconds(); }
    void write(std::uint8_t* rgb, std::int64_t stride) override { m_frames->writeRgb(rgb, stride); }
    void seek(std::int64_t) override {}

private:
    std::unique_ptr<FrameSource> m_frames;
    SourceFacts m_facts;
};

}  // namespace

std::unique_ptr<PlaySource> playVideo(const std::filesystem::path& path, const VideoReadOptions& options,
                                      std::stop_token stop)
{
    return std::make_unique<VideoFile>(path, options, std::move(stop));
}

std::unique_ptr<PlaySource> playLive(std::unique_ptr<FrameSource> frames, const std::string& name, double rate)
{
    return std::make_unique<LiveFrames>(std::move(frames), name, rate);
}

}  // namespace attnscope

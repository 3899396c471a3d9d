#include "core/media/views/frame_walk.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace attnscope {

namespace {

/// Key frames are up to several seconds apart, and a seek decodes from the previous one.
constexpr double worthALeap = 10;  // seconds

}

FrameWalk::FrameWalk(std::filesystem::path path, VideoReadOptions options, std::stop_token stop)
    : m_path(std::move(path))
    , m_options(options)
    , m_stop(std::move(stop))
    , m_reader(std::make_unique<VideoReader>(m_path, m_options, m_stop))
    , m_info(m_reader->info())
{}

VideoReader& FrameWalk::fromTheBeginning()
{
    if (!m_reader || m_at.number >= 0)
        m_reader = std::make_unique<VideoReader>(m_path, m_options, m_stop);
    m_at = {-1, 0};
    m_leapt = false;
    return *m_reader;
}

/// A later pass may see less of the file than an earlier one.
void FrameWalk::noteDamage()
{
    if (const std::string damage = m_reader->damage(); damage.size() > m_damage.size())
        m_damage = damage;
}

void FrameWalk::rest()
{
    m_reader.reset();
}

int64_t FrameWalk::estimatedNumber(int64_t time) const
{
    const double seconds = double(time - m_info.start) * m_info.timeBase.value();
    if (m_info.frames && m_info.duration && *m_info.duration > 0)
        return std::llround(double(time - m_info.start) * double(*m_info.frames) / double(*m_info.duration));
    return std::llround(seconds * m_info.averageRate.value());
}

void FrameWalk::leapTo(int64_t time)
{
    const int64_t from = m_at.number < 0 ? m_info.start : m_at.time;
    if (!m_info.seekable || double(time - from) * m_info.timeBase.value() < worthALeap)
        return;
    m_reader->seek(time);
    m_leapt = true;
}

void FrameWalk::mark()
{
    m_at = {m_leapt ? estimatedNumber(m_reader->pts()) : m_at.number + 1, m_reader->pts()};
    m_leapt = false;
}

bool FrameWalk::walk(const std::vector<Stretch>& stretches, const Visitor& visit)
{
    VideoReader& reader = fromTheBeginning();
    auto next = stretches.begin();
    auto leaptFor =
        stretches.end();  // once per stretch: the frame shown at its beginning may have started long before
    while (next != stretches.end()) {
        if (leaptFor != next && (m_at.number < 0 || m_at.time < next->begin)) {
            leapTo(next->begin);
            leaptFor = next;
        }
        if (!reader.advance()) {
            noteDamage();
            return true;
        }
        mark();
        visit(m_at, reader);
        while (next != stretches.end() && m_at.time > next->end)
            ++next;
    }
    noteDamage();
    return false;
}

void FrameWalk::fetch(const std::vector<int64_t>& times, const Visitor& visit)
{
    auto next = times.begin();
    auto leaptFor = times.end();
    while (next != times.end()) {
        if (!m_reader || (m_at.number >= 0 && m_at.time >= *next))
            fromTheBeginning();
        if (leaptFor != next)
            leapTo(*next);
        leaptFor = next;
        if (!m_reader->advance() || m_reader->pts() > *next)
            throw FileError(m_path.string(),
                            fmt::format("the frame at {:.2f} s could be decoded once but not a second time",
                                        double(*next - m_info.start) * m_info.timeBase.value()),
                            "copy the file again, or convert it to mp4");
        mark();
        if (m_at.time == *next) {
            visit(m_at, *m_reader);
            ++next;
        }
    }
}

}

#include "core/media/video/file_video.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

int64_t ticksOfAFrame(const AVStream& stream)
{
    const AVRational rate = stream.avg_frame_rate.num > 0 ? stream.avg_frame_rate : stream.r_frame_rate;
    if (rate.num <= 0 || rate.den <= 0)
        return 1;
    return av_rescale_q(1, av_inv_q(rate), stream.time_base);
}

/// According to the container: counted, or its length times its rate.
std::optional<int64_t> expectedFrames(const VideoInfo& info, const AVFormatContext& format)
{
    if (info.frames)
        return info.frames;
    if (format.duration == AV_NOPTS_VALUE || info.averageRate.numerator <= 0)
        return std::nullopt;
    return std::llround(double(format.duration) / AV_TIME_BASE * info.averageRate.value());
}

}

FileVideo::FileVideo(std::shared_ptr<const InputFile> file, std::string url, const VideoReadOptions& options,
                     std::stop_token stop, std::function<void()> progress)
    : m_options(options)
    , m_patience(std::move(stop), options.limits.videoStallSeconds, std::move(progress))
    , m_file(std::move(file))
    , m_url(std::move(url))
    , m_name(m_file ? m_file->name() : m_url)
    , m_packet(av_packet_alloc())
{
    m_label = m_file ? std::filesystem::path(m_name).filename().string() : m_name;
    open();
    Decoded first = decode();
    if (!first)
        throw FileError(m_name,
                        m_damage.endsAfter ? "it is truncated before its first frame"
                                           : "none of its frames can be decoded",
                        "copy or download it again");
    m_info = infoOf(*m_demuxer, *m_decoder, *first.frame);
    m_info.start = first.pts;
    m_shownDamage = first.damage;
    m_ahead.push_back(std::move(first));
}

void FileVideo::open()
{
    m_patience.restart();
    m_failedAhead = nullptr;
    m_decoder.reset();
    m_demuxer = m_file ? std::make_unique<Demuxer>(m_file, m_options, m_patience)
                       : std::make_unique<Demuxer>(m_url, m_options, m_patience);
    m_decoder = std::make_unique<VideoDecoder>(m_demuxer->stream(), m_name, m_options);
    m_clock = FrameClock(ticksOfAFrame(m_demuxer->stream()));
    m_jumped = m_lastPacketCut = false;
    m_decoded = 0;
    m_failedReads = 0;
}

bool FileVideo::advance()
{
    m_current = nextOf(m_ahead);
    if (!m_current)
        return false;
    m_damage.resized = m_damage.resized || m_current.frame->width != m_info.width
                       || m_current.frame->height != m_info.height;
    m_shownDamage.resized = m_damage.resized;
    const double seconds = double(m_current.pts - m_info.start) * m_info.timeBase.value();
    if (!isLive() && seconds > m_options.limits.videoSeconds) {
        m_damage.leftOutAfter = m_shownDamage.leftOutAfter = m_options.limits.videoSeconds;
        m_current = {};
        return false;
    }
    return true;
}

void FileVideo::lookAhead()
try {
    if (!m_ahead.empty() || m_failedAhead)
        return;
    if (Decoded next = decode())
        m_ahead.push_back(std::move(next));
} catch (...) {
    m_failedAhead = std::current_exception();
}

FileVideo::Decoded FileVideo::decode()
{
    if (m_failedAhead)
        std::rethrow_exception(std::exchange(m_failedAhead, nullptr));
    m_patience.restart();
    FramePointer frame(av_frame_alloc());
    while (frame) {
        switch (m_decoder->receive(*frame)) {
        case VideoDecoder::Receive::Frame:
            return accept(std::move(frame));
        case VideoDecoder::Receive::End:
            finish();
            return {};
        case VideoDecoder::Receive::NeedsPacket:
            feed();
            break;
        case VideoDecoder::Receive::Damaged:
            ++m_damage.skipped;
            break;
        }
        m_patience.throwIfStopped();
        if (m_patience.isOver())
            throw FileError(
                m_name,
                fmt::format("no frame could be decoded within {:.0f} s", m_options.limits.videoStallSeconds),
                "copy or convert the video again");
    }
    throw FileError(m_name, "there is not enough memory for a frame", "close other programs");
}

FileVideo::Decoded FileVideo::nextOf(std::deque<Decoded>& waiting)
{
    Decoded next;
    if (waiting.empty()) {
        next = decode();
    } else {
        next = std::move(waiting.front());
        waiting.pop_front();
    }
    m_shownDamage = next ? next.damage : m_damage;
    return next;
}

FileVideo::Decoded FileVideo::accept(FramePointer frame)
{
    const int64_t stated = frame->best_effort_timestamp;
    Decoded decoded;
    decoded.timed = stated != AV_NOPTS_VALUE;
    m_hurryMisled = m_hurryMisled || !decoded.timed;
    decoded.pts = m_clock.place(decoded.timed ? std::optional(stated) : std::nullopt, lengthOf(*frame));
    decoded.frame = std::move(frame);
    ++m_decoded;
    countDamage(decoded);
    decoded.damage = m_damage;
    return decoded;
}

void FileVideo::countDamage(const Decoded& decoded)
{
    if (decoded.pts <= m_furthest)
        return;
    m_furthest = decoded.pts;
    if (decoded.frame->decode_error_flags != 0 || (decoded.frame->flags & AV_FRAME_FLAG_CORRUPT) != 0)
        ++m_damage.concealed;
}

void FileVideo::feed()
{
    switch (m_demuxer->read(*m_packet)) {
    case Demuxer::Read::Damaged:
        ++m_failedReads;
        return;
    case Demuxer::Read::End:
        m_decoder->drain();
        return;
    case Demuxer::Read::Packet:
        break;
    }
    if (m_packet->stream_index != m_demuxer->stream().index)
        return;
    m_damage.skipped += m_failedReads > 0 ? 1 : 0;
    m_failedReads = 0;
    m_lastPacketCut = (m_packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    m_decoder->leaveOutUnneeded(m_packet->pts != AV_NOPTS_VALUE && m_packet->pts < m_hurryUntil);
    if (!m_decoder->send(*m_packet))
        ++m_damage.skipped;
}

/// At the end, checks whether the file was complete or truncated.
void FileVideo::finish()
{
    if (!m_demuxer->outline().breaksOff && !m_lastPacketCut && m_failedReads == 0)
        return;
    int64_t frames = m_decoded;
    if (m_jumped && m_furthest > m_info.start)
        frames = 1
                 + std::llround(double(m_furthest - m_info.start) * m_info.timeBase.value()
                                * m_info.averageRate.value());
    const auto expected = expectedFrames(m_info, m_demuxer->format());
    if (expected && frames >= *expected)
        return;
    m_damage.endsAfter = frames;
    m_damage.expected = expected;
}

void FileVideo::writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
{
    if (!m_current)
        throw UsageError(m_name, "there is no current frame", "advance() comes first");
    m_converter.convert(*m_current.frame, rgb, stride, size, m_name);
}

void FileVideo::seek(int64_t pts)
{
    if (isLive())
        throw FileError(m_name, "seeking is not possible in a stream", "save it to a file first");
    m_patience.restart();
    const int64_t target = std::max(pts, m_info.start);
    if (m_current)
        m_ahead.push_front(std::move(m_current));
    m_current = {};
    m_timesNeedAll = m_timesNeedAll || m_clock.moved();
    goTo(target, Way::Hurried);
    // A skipped frame may have been the right one, if frames are shown for long or at the end of the video.
    if (!m_ahead.empty() && m_hurryUntil != INT64_MIN && (m_hurryMisled || m_ahead.front().pts < m_hurryUntil)) {
        m_ahead.clear();
        goTo(target, Way::Complete);
    }
    m_hurryUntil = INT64_MIN;
}

void FileVideo::goTo(int64_t pts, Way way)
{
    constexpr double marginSeconds = 0.5;
    const auto margin = int64_t(marginSeconds / m_info.timeBase.value());
    m_hurryUntil = way == Way::Hurried && !m_timesNeedAll ? pts - margin : INT64_MIN;
    m_hurryMisled = false;
    m_jumped = m_jumped || way == Way::Hurried;
    const bool isAhead = !m_ahead.empty() && m_ahead.front().pts <= pts;
    const int64_t last = m_ahead.empty() ? 0 : m_ahead.back().pts;
    if (isAhead && (pts <= last || !m_demuxer->hasKeyFrameBetween(last, pts)))
        return goOnTo(pts, {});
    m_ahead.clear();
    goOnTo(pts, jump(pts));
}

void FileVideo::goOnTo(int64_t pts, Decoded candidate)
{
    std::deque<Decoded> waiting = std::exchange(m_ahead, {});
    while (true) {
        Decoded next = nextOf(waiting);
        if (!next)
            break;
        if (next.pts > pts && candidate) {
            waiting.push_front(std::move(next));
            break;
        }
        const bool isFirst = next.pts > pts;
        candidate = std::move(next);
        if (isFirst)
            break;
    }
    m_ahead = std::move(waiting);
    if (candidate)
        m_ahead.push_front(std::move(candidate));
}

FileVideo::Decoded FileVideo::jump(int64_t pts)
{
    const int64_t second = std::max<int64_t>(1, m_info.timeBase.denominator
                                                    / std::max<int64_t>(1, m_info.timeBase.numerator));
    constexpr int attempts = 5;
    int64_t back = 0;
    for (int i = 0; i < attempts && !m_timesNeedAll && m_info.container != "gif";
         ++i, back = back == 0 ? second : back * 4) {
        if (pts - back < m_info.start && back > 0)
            break;
        if (!m_demuxer->seek(pts - back))
            break;
        m_decoder->flush();
        m_failedAhead = nullptr;
        m_clock.restart();
        m_lastPacketCut = false;
        m_failedReads = 0;
        m_jumped = true;
        Decoded first = firstKeyFrame();
        if (first && first.timed && first.pts <= pts)
            return first;
    }
    open();
    return {};
}

/// Frames before it depend on others that were skipped.
FileVideo::Decoded FileVideo::firstKeyFrame()
{
    while (Decoded decoded = decode())
        if (m_decoder->isIntraOnly() || isKeyFrame(*decoded.frame))
            return decoded;
    return {};
}

}

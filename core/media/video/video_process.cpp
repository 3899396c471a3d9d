#include "core/media/video/video_process.h"

#include "core/base/error.h"
#include "core/media/process/idle_pool.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace attnscope {

namespace {

using namespace video_protocol;
using Received = DecoderConnection::Received;

/// Of one request: ten minutes, since the program sends two a second.
constexpr int maxRepliesWorking = 1200;

/// The program notices by itself when no frame comes in time; this is for one that does not.
DecoderConnection::Milliseconds deadlineFor(const Limits& limits)
{
    constexpr double graceSeconds = 5;
    return DecoderConnection::Milliseconds(int64_t((limits.videoStallSeconds + graceSeconds) * 1e3));
}

void startDecoder(RunningVideoDecoder& decoder, const Limits& limits)
{
    decoder.videoPixels = limits.videoPixels;
    decoder.connection.start(decoder.memory.fileNumber(),
                             {std::to_string(limits.videoPixels), std::to_string(deadlineFor(limits).count())});
}

}

VideoProcess::VideoProcess(const InputFile& file, const VideoReadOptions& options, std::stop_token stop)
    : m_name(file.name())
    , m_stop(std::move(stop))
    , m_limits(options.limits)
{
    m_label = std::filesystem::path(m_name).filename().string();
    take();
    open(file, options);
}

VideoProcess::~VideoProcess()
{
    const Request close{.action = Action::Close};
    if (m_decoder && m_decoder->connection.send(std::as_bytes(std::span(&close, 1))))
        IdlePool<RunningVideoDecoder>::shared().giveBack(std::move(m_decoder));
}

void VideoProcess::take()
{
    while ((m_decoder = IdlePool<RunningVideoDecoder>::shared().take())
           && m_decoder->videoPixels < m_limits.videoPixels) {
    }
    if (m_decoder)
        return;
    m_decoder = std::make_unique<RunningVideoDecoder>();
    startDecoder(*m_decoder, m_limits);
}

void VideoProcess::open(const InputFile& file, const VideoReadOptions& options)
{
    Request request{.action = Action::Open};
    request.threads = options.threads;
    request.videoPixels = m_limits.videoPixels;
    request.videoStreams = m_limits.videoStreams;
    request.videoSeconds = m_limits.videoSeconds;
    request.videoStallSeconds = m_limits.videoStallSeconds;
    request.anyFormat = options.anyFormat ? 1 : 0;
    m_info = *ask(request, file.fileNumber()).info;
    m_pts = m_info.start;
}

Reply VideoProcess::ask(Request request, int file)
{
    if (!m_decoder)
        throw FileError(m_name, "its decoding was ended", "open it again");
    DecoderConnection& connection = m_decoder->connection;
    // Where an idle process was killed, the video is not lost.
    for (int attempt = 0;; ++attempt) {
        connection.awaitReady();
        request.number = ++m_decoder->requests;
        request.memoryBytes = m_decoder->memory.size();
        if (connection.send(std::as_bytes(std::span(&request, 1)), file))
            break;
        if (attempt == 1 || request.action != Action::Open)
            fail(Received::End);
        startDecoder(*m_decoder, m_limits);
    }
    Reply reply = awaitReply(request);
    if (reply.outcome == Outcome::Failed)
        throw FileError(m_name, reply.reason);
    if (reply.outcome == Outcome::Unsupported)
        throw Unsupported(m_name, reply.reason);
    return reply;
}

Reply VideoProcess::awaitReply(const Request& request)
{
    std::array<std::byte, maxReplyBytes> message;
    for (int i = 0; i < maxRepliesWorking; ++i) {
        size_t bytes = 0;
        const Received received = m_decoder->connection.receive(message, bytes, deadlineFor(m_limits), m_stop);
        if (received == Received::Stopped) {
            m_decoder.reset();
            throw Cancelled();
        }
        if (received != Received::Message)
            fail(received);
        std::optional<Reply> reply = parseReply(std::span(message).first(std::min(bytes, message.size())),
                                                request);
        if (!reply)
            fail(Received::Message);
        if (reply->outcome == Outcome::Working)
            continue;
        m_damage = reply->damage;
        return std::move(*reply);
    }
    fail(Received::Nothing);
}

void VideoProcess::fail(Received received)
{
    std::exchange(m_decoder, nullptr)->connection.fail(received, m_name, deadlineFor(m_limits));
}

bool VideoProcess::advance()
{
    const bool hadFrame = std::exchange(m_hasFrame, false);
    m_takenInARow = std::exchange(m_takes, false) ? m_takenInARow + 1 : 0;
    m_pixels.reset();
    Request request{.action = Action::Advance};
    // Who took two frames in a row takes the next as well: this spares a round trip, and an occasional reader no conversion.
    const bool expected = m_takenInARow >= 2;
    if (expected) {
        request.width = uint32_t(m_taken.width);
        request.height = uint32_t(m_taken.height);
    }
    const Reply reply = ask(request);
    if (reply.outcome == Outcome::End)
        return false;
    int64_t elapsed = 0;
    if ((hadFrame && reply.pts <= m_pts) || __builtin_sub_overflow(reply.pts, m_info.start, &elapsed))
        fail(Received::Message);
    m_pts = reply.pts;
    m_hasFrame = true;
    if (expected)
        m_pixels = m_taken;
    return true;
}

void VideoProcess::writeRgb(uint8_t* rgb, int64_t stride, FrameSize size)
{
    if (!m_hasFrame)
        throw UsageError(m_name, "there is no current frame", "advance() comes first");
    const auto row = size_t(size.width * 3);
    if (m_pixels != size)
        fetch(size);
    const uint8_t* const pixels = m_decoder->memory.data();
    for (int64_t y = 0; y < size.height; ++y)
        std::memcpy(rgb + y * stride, pixels + size_t(y) * row, row);
    m_takes = true;
}

void VideoProcess::fetch(FrameSize size)
{
    const auto row = size_t(size.width * 3);
    m_pixels.reset();
    if (m_decoder && !m_decoder->memory.reserve(row * size_t(size.height)))
        throw FileError(m_name, "there is not enough memory for a frame", "close other programs");
    Request request{.action = Action::Write};
    request.width = uint32_t(size.width);
    request.height = uint32_t(size.height);
    ask(request);
    m_pixels = m_taken = size;
}

void VideoProcess::seek(int64_t pts)
{
    m_hasFrame = false;
    m_pixels.reset();
    ask({.pts = pts, .action = Action::Seek});
}

DecoderInfo videoDecoderInfo()
{
    RunningVideoDecoder decoder;
    startDecoder(decoder, {});
    decoder.connection.awaitReady();
    return decoder.connection.info();
}

}

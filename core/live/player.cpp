#include "core/live/player.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds soon{5}, idle{40};
constexpr double earliness = 0.002;  // seconds: tolerance for timers that fire slightly early

}

Player::Player(PlayDecoder::Open open, FrameSink* sink, PlayDecoder::Size size)
    : m_decoder(std::move(open), sink, size)
{}

void Player::play()
{
    const std::scoped_lock lock(m_mutex);
    if (m_state.ended)
        seekLocked(0, m_info.start, Reach::Sink);
    m_state.playing = true;
    m_steps = 0;
    m_clock.set(m_shownPlayed, Clock::now());
}

void Player::pause()
{
    const std::scoped_lock lock(m_mutex);
    m_state.playing = false;
}

void Player::setSpeed(double speed)
{
    const std::scoped_lock lock(m_mutex);
    m_state.speed = std::clamp(speed, 0.25, 4.0);
    m_clock.setSpeed(m_state.speed, Clock::now());
}

void Player::setLoop(bool loop)
{
    const std::scoped_lock lock(m_mutex);
    m_state.loop = loop;
    m_decoder.setLoop(loop);
}

void Player::seekLocked(double seconds, int64_t pts, Reach reach)
{
    if (m_ready && (!m_info.seekable || m_info.live))
        return;
    m_state.ended = false;
    m_state.seconds = seconds;
    m_decoder.seek(std::max(pts, m_info.start), reach);
}

void Player::seek(double seconds, Reach reach)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_ready) {
        m_early = {seconds, reach};
        return;
    }
    seekReady(seconds, reach);
}

void Player::seekReady(double seconds, Reach reach)
{
    m_steps = 0;
    const double to = std::clamp(seconds, 0.0, m_state.length.value_or(1e9));
    seekLocked(to, m_info.ptsAt(to), reach);
}

void Player::seekBy(double seconds)
{
    double from = 0;
    {
        const std::scoped_lock lock(m_mutex);
        from = m_state.seconds;
    }
    seek(from + seconds);
}

void Player::step(int frames)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_ready || m_info.live)
        return;
    m_state.playing = false;
    m_steps += frames;
    if (m_steps < 0 && !m_decoder.status().seeking)
        stepBack();
}

/// Steps back by one frame: the one that is shown just before the current one.
void Player::stepBack()
{
    if (m_shownPts <= m_info.start) {
        m_steps = 0;
        return;
    }
    ++m_steps;
    seekLocked(m_state.seconds, m_shownPts - 1, Reach::Sink);
}

void Player::setGate(Gate gate)
{
    const std::scoped_lock lock(m_mutex);
    m_gate = std::move(gate);
}

FrameRef Player::frameToShow(Clock::time_point now)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_ready) {
        m_ready = m_decoder.status().opened;
        if (!m_ready)
            return {};
        m_info = m_decoder.info();
        m_state.length = m_info.duration;
        if (m_early)
            seekReady(m_early->first, m_early->second);
    }
    FrameRef frame = m_info.live ? popNewest() : popDue(now);
    if (frame)
        noteShown(*frame);
    else if (m_decoder.queued() == 0)
        stall(now);
    return frame;
}

bool Player::isDue(const Frame& frame, Clock::time_point now)
{
    if (frame.jump)
        return true;
    if (m_steps > 0) {
        --m_steps;
        m_clock.set(frame.played, now);
        return true;
    }
    if (!m_state.playing || frame.played > m_clock.at(now) + earliness * m_clock.speed())
        return false;
    if (!m_gate || m_gate(frame))
        return true;
    m_clock.set(m_shownPlayed, now);  // held, so that the following frames are not all due at once
    return false;
}

FrameRef Player::popDue(Clock::time_point now)
{
    FrameRef shown;
    for (FrameRef next = m_decoder.front(); next && isDue(*next, now); next = m_decoder.front()) {
        m_decoder.pop();
        if (next->jump)
            m_clock.set(next->played, now);
        if (shown && m_state.playing)
            ++m_state.dropped;
        shown = std::move(next);
    }
    return shown;
}

FrameRef Player::popNewest()
{
    FrameRef shown;
    for (FrameRef next = m_decoder.front(); next; next = m_decoder.front()) {
        m_decoder.pop();
        if (m_state.playing || next->jump)
            shown = std::move(next);
    }
    return shown;
}

void Player::noteShown(const Frame& frame)
{
    m_state.shown += 1;
    m_shownPts = frame.pts;
    m_shownPlayed = frame.played;
    if (m_decoder.status().seeking)
        return;  // seeking to another position, which remains the one reported
    m_state.seconds = frame.seconds;
    if (m_steps < 0)
        stepBack();
}

/// Nothing is available: the end, or the decoder is late. Then the clock waits for it, and no frame is lost.
void Player::stall(Clock::time_point now)
{
    const PlayDecoder::Status decoder = m_decoder.status();
    if (decoder.endSeconds > 0)
        m_state.length = decoder.endSeconds;
    const bool atEnd = decoder.atEnd && !m_state.loop;
    if (atEnd)
        m_steps = 0;
    const double until = m_shownPlayed + 1 / m_info.rate;
    if (!m_state.playing || m_info.live || m_clock.at(now) < until)
        return;
    m_clock.set(until, now);
    m_state.ended = atEnd;
    m_state.playing = !atEnd;
}

milliseconds Player::dueIn(Clock::time_point now) const
{
    const std::scoped_lock lock(m_mutex);
    const PlayDecoder::Status decoder = m_decoder.status();
    if (decoder.failed)
        return idle;
    if (!m_ready || decoder.seeking || m_steps != 0)
        return soon;
    if (!m_state.playing)
        return idle;
    const FrameRef next = m_decoder.front();
    if (!next)
        return soon;
    const double wait = (next->played - m_clock.at(now)) / m_clock.speed();
    return std::clamp(milliseconds(int64_t(wait * 1000)), milliseconds(1), idle);
}

PlayerState Player::state() const
{
    const std::scoped_lock lock(m_mutex);
    const PlayDecoder::Status decoder = m_decoder.status();
    PlayerState state = m_state;
    state.seeking = decoder.seeking;
    state.phase = decoder.failed ? PlayerState::Phase::Failed
                  : m_ready      ? PlayerState::Phase::Ready
                                 : PlayerState::Phase::Opening;
    return state;
}

}

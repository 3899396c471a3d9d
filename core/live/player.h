#pragma once

#include "core/live/play_decoder.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace attnscope {

struct PlayerState {
    enum class Phase { Opening, Ready, Failed } phase = Phase::Opening;
    bool playing = false, ended = false, loop = false;
    bool seeking = false;  ///< the requested frame is not available yet
    double speed = 1;
    double seconds = 0;            ///< of the frame shown last, or requested
    std::optional<double> length;  ///< the source's duration, or where it actually ended
    int64_t shown = 0;             ///< frames
    int64_t dropped = 0;           ///< frames that were too late to be shown
};

/// The playback time in seconds, at a variable speed.
class PlayClock {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Sets the playback time at `now`, from which it continues.
    void set(double played, Time now)
    {
        m_played = played;
        m_since = now;
    }
    double at(Time now) const { return m_played + std::chrono::duration<double>(now - m_since).count() * m_speed; }
    void setSpeed(double speed, Time now)
    {
        set(at(now), now);
        m_speed = speed;
    }
    double speed() const { return m_speed; }

private:
    double m_played = 0, m_speed = 1;
    Time m_since{};
};

/// Plays a source: a thread opens and decodes it a few frames ahead; the display asks for the current frame. Drawing never waits for
/// decoding, decoding only waits for free buffers. All functions are thread-safe and return immediately.
class Player {
public:
    using Clock = std::chrono::steady_clock;

    /// `sink` receives the frames in the decoding thread, and must outlive the player.
    explicit Player(PlayDecoder::Open open, FrameSink* sink = nullptr,
                    PlayDecoder::Size size = PlayDecoder::Size());

    void play();
    void pause();
    /// 0.25 to 4 times; other values are rounded to the nearest of these.
    void setSpeed(double speed);
    void setLoop(bool loop);

    /// Shows exactly the frame at `seconds`. A newer seek replaces a pending one; one before the source is open is deferred.
    void seek(double seconds, Reach reach = Reach::Sink);
    /// Relative to the playback position, or that after the pending seek.
    void seekBy(double seconds);
    /// Pauses and goes `frames` forward, or back if negative.
    void step(int frames);

    /// Asked before a frame is shown during playback; false holds playback there until it returns true. For clients that must see all
    /// frames.
    using Gate = std::function<bool(const Frame&)>;
    void setGate(Gate gate);

    /// The frame to be shown from `now` on, or empty if the current one stays.
    FrameRef frameToShow(Clock::time_point now);
    /// How long to wait before asking again.
    std::chrono::milliseconds dueIn(Clock::time_point now) const;

    PlayerState state() const;
    SourceInfo info() const { return m_decoder.info(); }
    /// Why it failed, and what could not be decoded: one sentence each, or empty.
    std::string problem() const { return m_decoder.problem(); }
    std::string damage() const { return m_decoder.damage(); }
    size_t queued() const { return m_decoder.queued(); }

private:
    // With m_mutex held:
    bool isDue(const Frame& frame, Clock::time_point now);
    FrameRef popDue(Clock::time_point now);
    FrameRef popNewest();
    void noteShown(const Frame& frame);
    void seekReady(double seconds, Reach reach);
    void seekLocked(double seconds, int64_t pts, Reach reach);
    void stepBack();
    void stall(Clock::time_point now);

    mutable std::mutex m_mutex;
    PlayerState m_state;
    SourceInfo m_info;  // valid once ready
    bool m_ready = false;
    Gate m_gate;
    PlayClock m_clock;
    int m_steps = 0;                                  // frames left to step
    std::optional<std::pair<double, Reach>> m_early;  // a seek requested before the source was open
    int64_t m_shownPts = 0;
    double m_shownPlayed = 0;
    PlayDecoder m_decoder;  // last: its thread ends first
};

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/live/play_clock.h"
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
    bool seeking = false;  ///< the frame that was asked for is not there yet
    double speed = 1;
    double seconds = 0;            ///< of the frame shown last, or asked for
    std::optional<double> length;  ///< the source's duration, or where its end turned out to be
    std::int64_t shown = 0;        ///< frames
    std::int64_t dropped = 0;      ///< frames whose time had passed before anybody asked
};

/// Plays a source: a thread opens and decodes it a few frames ahead; whoever draws asks for the frame of the moment. Drawing never
/// waits for decoding, decoding waits for nothing but room. All functions may be called from any thread and return at once.
class Player {
public:
    using Clock = std::chrono::steady_clock;

    /// `sink` sees the frames in the decoding thread, and outlives the player.
    explicit Player(PlayDecoder::Open open, FrameSink* sink = nullptr,
                    PlayDecoder::Size size = PlayDecoder::Size());

    void play();
    void pause();
    /// 0.25 to 4 times; others are taken to the next of these.
    void setSpeed(double speed);
    void setLoop(bool loop);

    /// Shows the frame that belongs to `seconds`, exactly. A newer seek replaces one under way; one before the source is open waits.
    void seek(double seconds, Reach reach = Reach::Sink);
    /// From where playback is, or will be after the seek under way.
    void seekBy(double seconds);
    /// Pauses and goes `frames` further, or back below 0.
    void step(int frames);

    /// Asked before a frame is shown while playing; false holds playback there until it says true. For those who must see all.
    using Gate = std::function<bool(const Frame&)>;
    void setGate(Gate gate);

    /// The frame to be shown from `now` on, or nothing where the one shown stays.
    FrameRef frameToShow(Clock::time_point now);
    /// How long until it is worth asking again.
    std::chrono::milliseconds dueIn(Clock::time_point now) const;

    PlayerState state() const;
    SourceInfo info() const { return m_decoder.info(); }
    /// Why it failed, and what could not be decoded: a sentence each, or nothing.
    std::string problem() const { return m_decoder.problem(); }
    std::string damage() const { return m_decoder.damage(); }
    std::size_t queued() const { return m_decoder.queued(); }

private:
    // With m_mutex held:
    bool isDue(const Frame& frame, Clock::time_point now);
    FrameRef popDue(Clock::time_point now);
    FrameRef popNewest();
    void noteShown(const Frame& frame);
    void seekReady(double seconds, Reach reach);
    void seekLocked(double seconds, std::int64_t pts, Reach reach);
    void stepBack();
    void stall(Clock::time_point now);

    mutable std::mutex m_mutex;
    PlayerState m_state;
    SourceInfo m_info;  // once ready
    bool m_ready = false;
    Gate m_gate;
    PlayClock m_clock;
    int m_steps = 0;                                  // frames still to go
    std::optional<std::pair<double, Reach>> m_early;  // a seek from before the source was open
    std::int64_t m_shownPts = 0;
    double m_shownPlayed = 0;
    PlayDecoder m_decoder;  // last: its thread ends first
};

}  // namespace attnscope

#pragma once

#include "core/media/container/frame_clock.h"
#include "core/media/video/demuxer.h"
#include "core/media/video/rgb_converter.h"
#include "core/media/video/video_decoder.h"
#include "core/media/video/video_source.h"

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace attnscope {

/// A video in a file, or a stream.
class FileVideo : public VideoSource {
public:
    /// `file` or `url`, whichever is not empty. `progress` is called for every frame that is decoded.
    FileVideo(std::shared_ptr<const InputFile> file, std::string url, const VideoReadOptions& options,
              std::stop_token stop, std::function<void()> progress = {});

    bool isLive() const override { return !m_file; }
    bool advance() override;
    int64_t pts() const override { return m_current.pts; }
    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) override;
    void seek(int64_t pts) override;
    VideoDamage damage() const override { return m_shownDamage; }

    /// Decodes the next frame, so that `advance` need not; what goes wrong is thrown there.
    void lookAhead();

private:
    struct Decoded {
        FramePointer frame;
        int64_t pts = 0;
        bool timed = false;  ///< the time is stated by the file
        VideoDamage damage;  ///< found until it was decoded
        explicit operator bool() const { return frame != nullptr; }
    };

    /// Opens container and decoder at the beginning, initially or again.
    void open();
    /// The next frame in presentation order; none at the end.
    Decoded decode();
    /// The same, from `waiting` first.
    Decoded nextOf(std::deque<Decoded>& waiting);
    Decoded accept(FramePointer frame);
    void feed();
    void countDamage(const Decoded& decoded);
    void finish();

    enum class Way { Hurried, Complete };

    /// Decodes towards `pts`; hurried skips frames well before it that no other depends on.
    void goTo(int64_t pts, Way way);
    /// Makes the last frame at or before `pts`, starting from `candidate`, the next one, followed by the frame after it, which had to be
    /// decoded to find it.
    void goOnTo(int64_t pts, Decoded candidate);
    /// The first frame after seeking to a key frame at or before `pts`. None: decoding restarts from the beginning.
    Decoded jump(int64_t pts);
    Decoded firstKeyFrame();

    VideoReadOptions m_options;
    Patience m_patience;
    std::shared_ptr<const InputFile> m_file;
    std::string m_url, m_name;
    std::unique_ptr<Demuxer> m_demuxer;
    std::unique_ptr<VideoDecoder> m_decoder;
    PacketPointer m_packet;
    RgbConverter m_converter;
    FrameClock m_clock;

    Decoded m_current;
    VideoDamage m_shownDamage;  ///< up to the current frame, while m_damage is up to the last that was decoded
    std::exception_ptr m_failedAhead;  ///< of lookAhead
    std::deque<Decoded> m_ahead;       ///< decoded but not yet returned
    int64_t m_hurryUntil = INT64_MIN;  ///< pts
    bool m_hurryMisled = false;   ///< a time had to be derived from a previous frame that may have been skipped
    bool m_timesNeedAll = false;  ///< some time was moved after another: seeking would not reproduce it
    bool m_jumped = false;        ///< m_decoded is not the number of frames before this one
    int64_t m_decoded = 0;
    int64_t m_furthest = INT64_MIN;  ///< pts; damage before it has been counted
    int m_failedReads = 0;           ///< consecutive
    bool m_lastPacketCut = false;
};

/// What container, decoder and first frame state. `start` is left to the caller, who knows the frame's time.
VideoInfo infoOf(const Demuxer& demuxer, const VideoDecoder& decoder, const AVFrame& first);

}

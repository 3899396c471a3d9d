#pragma once

#include "core/media/video/ffmpeg.h"
#include "core/media/video/video_reader.h"

#include <string>
#include <vector>

namespace attnscope {

/// Decodes packets to frames, on a GPU if requested and possible, and with threads.
class VideoDecoder {
public:
    enum class Receive { Frame, NeedsPacket, End, Damaged };

    /// Throws FileError, Unsupported. `name` is used in messages.
    VideoDecoder(const AVStream& stream, const std::string& name, const VideoReadOptions& options);

    /// False when the packet could not be used.
    bool send(const AVPacket& packet);
    /// Signals that no packet follows.
    void drain();
    Receive receive(AVFrame& frame);
    /// From the next packet on: whether frames that no other depends on may be skipped.
    void leaveOutUnneeded(bool yes);
    /// Forgets all packets, for a seek.
    void flush() { avcodec_flush_buffers(m_context.get()); }

    /// "h264, 2 threads"; "h264, vaapi".
    std::string description() const;
    /// What became of a request for hardware.
    const std::vector<std::string>& notes() const { return m_notes; }
    /// Whether every frame of the codec is decoded independently.
    bool isIntraOnly() const { return m_intraOnly; }

private:
    void open(const AVCodec& decoder, const AVStream& stream, const VideoReadOptions& options);
    void tryHardware(const AVCodec& decoder);
    static AVPixelFormat chooseFormat(AVCodecContext* context, const AVPixelFormat* offered);

    std::string m_name;
    CodecPointer m_context;
    BufferPointer m_device;
    AVPixelFormat m_deviceFormat = AV_PIX_FMT_NONE;
    std::string m_deviceName;
    std::vector<std::string> m_notes;
    bool m_intraOnly = false;
};

}

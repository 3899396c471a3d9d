#pragma once

#include "core/media/container/video_outline.h"
#include "core/media/image/input_file.h"
#include "core/media/video/ffmpeg.h"
#include "core/media/video/patience.h"
#include "core/media/video/video_reader.h"

#include <memory>
#include <string>

namespace attnscope {

/// Reads the packets of one video stream from a container. A file is read through functions of our own, and anything else that FFmpeg would
/// open is rejected: files named within a file stay closed, and a name is never a pattern or a URL.
class Demuxer {
public:
    enum class Read { Packet, Damaged, End };

    /// Throws FileError.
    Demuxer(std::shared_ptr<const InputFile> file, const VideoReadOptions& options, Patience& patience);
    /// Opens a URL instead.
    Demuxer(const std::string& url, const VideoReadOptions& options, Patience& patience);
    Demuxer(const Demuxer&) = delete;
    Demuxer& operator=(const Demuxer&) = delete;

    const std::string& name() const { return m_name; }
    const AVFormatContext& format() const { return *m_format; }
    AVStream& stream() const { return *m_format->streams[m_stream]; }
    /// As in VideoInfo.
    std::string containerName() const;
    const VideoOutline& outline() const { return m_outline; }
    bool isUrl() const { return !m_file; }

    /// The next packet of the stream. `Damaged`: something could not be read, and the next call continues after it.
    Read read(AVPacket& packet);

    /// Seeks to a key frame at or before `pts`, as far as the container knows where they are. Returns whether it could.
    bool seek(int64_t pts);

    /// Whether there is a key frame after `from` and at or before `to`: then seeking may be faster than continuing.
    bool hasKeyFrameBetween(int64_t from, int64_t to) const;

private:
    void openFile(const VideoReadOptions& options);
    void lookAtStructure();
    [[noreturn]] void failForStreams() const;
    void open(const char* url, const AVInputFormat* input, OptionDictionary& options);
    void prepare(const VideoReadOptions& options);
    void findStreamInfo(const VideoReadOptions& options);
    void checkStreams(const Limits& limits) const;
    void chooseStream();
    [[noreturn]] void failToOpen(int error) const;
    void throwIfOver() const;
    std::string title() const;

    static int readFile(void* self, uint8_t* out, int bytes);
    static int64_t seekFile(void* self, int64_t offset, int whence);

    struct ReleaseIo {
        void operator()(AVIOContext* io) const
        {
            av_freep(static_cast<void*>(&io->buffer));
            avio_context_free(&io);
        }
    };

    std::string m_name;
    Patience& m_patience;
    int64_t m_maxStreams;
    std::shared_ptr<const InputFile> m_file;      ///< null for a URL
    const VideoContainer* m_container = nullptr;  ///< null for any other format, and for streams
    VideoOutline m_outline;
    int64_t m_position = 0;  ///< in the file
    std::unique_ptr<AVIOContext, ReleaseIo> m_io;
    FormatPointer m_format;  ///< declared after what it uses, so that it is destroyed first
    int m_stream = -1;
    int m_failures = 0;  ///< consecutive
};

}

#include "core/media/video/video_writer.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/media/video/ffmpeg.h"
#include "core/media/video/video_formats.h"

#include <fmt/format.h>

namespace attnscope {

namespace {

const AVCodec& videoEncoder()
{
    prepareFfmpeg();
    const AVCodec* encoder = avcodec_find_encoder_by_name("libx264");
    if (encoder == nullptr)
        throw Unsupported("H.264", "this FFmpeg cannot encode it", "install an FFmpeg with libx264");
    return *encoder;
}

int must(int result, const char* what)
{
    if (result < 0)
        throw Unsupported("H.264", fmt::format("{}: {}", what, errorText(result)));
    return result;
}

template <typename T>
T* must(T* object)
{
    if (object == nullptr)
        throw std::bad_alloc();
    return object;
}

void check(const Clip& clip, const VideoWriteOptions& options)
{
    constexpr int64_t largest = 8192;
    const bool sized = clip.width >= 2 && clip.height >= 2 && clip.width <= largest && clip.height <= largest;
    if (clip.frames < 1 || !sized || clip.width % 2 != 0 || clip.height % 2 != 0)
        throw UsageError("H.264",
                         fmt::format("{} of {}×{} pixels cannot be written as a video",
                                     counted(clip.frames, "frame"), clip.width, clip.height),
                         "sides must be even numbers from 2 to 8192");
    if (std::ssize(clip.pixels) != clip.frames * clip.height * clip.width * 3)
        throw UsageError("H.264", "the clip size does not match its data");
    const Fraction& rate = options.rate;
    if (rate.numerator < 1 || rate.denominator < 1 || rate.numerator > 1'000'000 || rate.denominator > 1'000'000)
        throw UsageError("H.264", "the rate is out of range", "give a frame rate above 0");
    if (options.quality < 0 || options.quality > 51)
        throw UsageError("H.264", fmt::format("quality {} is out of range", options.quality),
                         "give 0 (best) to 51");
}

/// A container in memory.
class MemoryContainer {
public:
    MemoryContainer()
    {
        must(avformat_alloc_output_context2(&m_format, nullptr, "mp4", nullptr), "there is no MP4 muxer");
        if (const int result = avio_open_dyn_buf(&m_format->pb); result < 0) {
            avformat_free_context(m_format);
            throw std::bad_alloc();
        }
        m_format->flags |= AVFMT_FLAG_BITEXACT;
    }
    ~MemoryContainer()
    {
        if (m_format->pb != nullptr)
            bytes();
        avformat_free_context(m_format);
    }
    MemoryContainer(const MemoryContainer&) = delete;
    MemoryContainer& operator=(const MemoryContainer&) = delete;

    AVFormatContext* get() const { return m_format; }

    /// Finishes the container and returns its bytes.
    std::vector<uint8_t> bytes()
    {
        uint8_t* data = nullptr;
        const int size = avio_close_dyn_buf(m_format->pb, &data);
        m_format->pb = nullptr;
        const std::unique_ptr<uint8_t, decltype(&av_free)> owner(data, &av_free);
        return {data, data + size};
    }

private:
    AVFormatContext* m_format = nullptr;
};

/// One encoder and its stream in a container, and how a frame passes through both.
class Encoding {
public:
    Encoding(const Clip& clip, const VideoWriteOptions& options)
        : m_codec(must(avcodec_alloc_context3(&videoEncoder())))
        , m_frame(must(av_frame_alloc()))
        , m_packet(must(av_packet_alloc()))
    {
        open(clip, options);
        m_stream = must(avformat_new_stream(m_container.get(), nullptr));
        m_stream->time_base = m_codec->time_base;
        m_stream->avg_frame_rate = m_codec->framerate;
        must(avcodec_parameters_from_context(m_stream->codecpar, m_codec.get()), "the stream cannot be described");
        must(avformat_write_header(m_container.get(), nullptr), "the container cannot be started");
        m_frame->format = m_codec->pix_fmt;
        m_frame->width = m_codec->width;
        m_frame->height = m_codec->height;
        must(av_frame_get_buffer(m_frame.get(), 0), "there is not enough memory for a frame");
        m_scaler.reset(must(sws_getContext(
            m_codec->width, m_codec->height, AV_PIX_FMT_RGB24, m_codec->width, m_codec->height, m_codec->pix_fmt,
            SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT, nullptr, nullptr, nullptr)));
        const int* matrix = sws_getCoefficients(SWS_CS_ITU601);
        sws_setColorspaceDetails(m_scaler.get(), matrix, 1, matrix, 0, 0, 1 << 16, 1 << 16);
    }

    void add(const uint8_t* rgb, int64_t number)
    {
        must(av_frame_make_writable(m_frame.get()), "there is not enough memory for a frame");
        const uint8_t* planes[] = {rgb};
        const int strides[] = {m_codec->width * 3};
        sws_scale(m_scaler.get(), planes, strides, 0, m_codec->height, m_frame->data, m_frame->linesize);
        m_frame->pts = number;
        must(avcodec_send_frame(m_codec.get(), m_frame.get()), "a frame cannot be encoded");
        drain();
    }

    std::vector<uint8_t> finish()
    {
        must(avcodec_send_frame(m_codec.get(), nullptr), "the video cannot be finished");
        drain();
        must(av_write_trailer(m_container.get()), "the container cannot be finished");
        return m_container.bytes();
    }

private:
    void open(const Clip& clip, const VideoWriteOptions& options)
    {
        m_codec->width = int(clip.width);
        m_codec->height = int(clip.height);
        m_codec->pix_fmt = AV_PIX_FMT_YUV420P;
        m_codec->framerate = {int(options.rate.numerator), int(options.rate.denominator)};
        m_codec->time_base = av_inv_q(m_codec->framerate);
        m_codec->colorspace = AVCOL_SPC_SMPTE170M;
        m_codec->color_range = AVCOL_RANGE_MPEG;
        m_codec->thread_count = 1;
        m_codec->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER;
        OptionDictionary settings;
        settings.set("crf", std::to_string(options.quality));
        settings.set("preset", "medium");
        must(avcodec_open2(m_codec.get(), nullptr, settings.address()), "the encoder cannot be opened");
    }

    void drain()
    {
        for (;;) {
            const int result = avcodec_receive_packet(m_codec.get(), m_packet.get());
            if (result == AVERROR(EAGAIN) || result == AVERROR_EOF)
                return;
            must(result, "a frame cannot be encoded");
            m_packet->stream_index = m_stream->index;
            m_packet->duration = 1;  // otherwise the last frame would have none
            av_packet_rescale_ts(m_packet.get(), m_codec->time_base, m_stream->time_base);
            must(av_interleaved_write_frame(m_container.get(), m_packet.get()), "a frame cannot be stored");
        }
    }

    MemoryContainer m_container;
    CodecPointer m_codec;
    FramePointer m_frame;
    PacketPointer m_packet;
    ScalerPointer m_scaler;
    AVStream* m_stream = nullptr;
};

}

std::vector<uint8_t> encodeVideo(const Clip& clip, const VideoWriteOptions& options)
{
    check(clip, options);
    Encoding encoding(clip, options);
    for (int64_t t = 0; t < clip.frames; ++t)
        encoding.add(clip.frame(t), t);
    return encoding.finish();
}

void writeVideo(const std::filesystem::path& path, const Clip& clip, const VideoWriteOptions& options)
{
    const std::vector<uint8_t> bytes = encodeVideo(clip, options);
    writeFileAtomically(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void requireVideoEncoder()
{
    videoEncoder();
}

}

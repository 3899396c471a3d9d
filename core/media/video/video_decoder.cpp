#include "core/media/video/video_decoder.h"

#include "core/base/error.h"
#include "core/base/process/processors.h"
#include "core/base/text.h"
#include "core/media/video/video_formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnscope {

namespace {

/// Below this size threads cost more than they gain, and callers decode several videos in parallel.
constexpr int64_t pixelsWorthThreads = 400'000;

int threadsFor(const VideoReadOptions& options, const AVCodecParameters& parameters)
{
    if (options.threads > 0)
        return std::min(options.threads, 64);
    if (int64_t{parameters.width} * parameters.height < pixelsWorthThreads)
        return 1;
    return std::min(usableProcessors(), 8);
}

[[noreturn]] void failWithoutDecoder(const AVCodecParameters& parameters, const std::string& name, bool any)
{
    const std::string codec = avcodec_get_name(parameters.codec_id);
    if (parameters.codec_id == AV_CODEC_ID_NONE)
        throw FileError(name, "it does not specify how its video is encoded", "convert it to H.264 in MP4");
    if (!any && avcodec_find_decoder(parameters.codec_id))
        throw FileError(
            name, fmt::format("its video is encoded as {}, which is not in the list of supported formats", codec),
            "--any-format opens it anyway");
    throw FileError(name, fmt::format("its video is encoded as {}, for which this FFmpeg has no decoder", codec),
                    "convert it to H.264 in MP4");
}

}

VideoDecoder::VideoDecoder(const AVStream& stream, const std::string& name, const VideoReadOptions& options)
    : m_name(name)
{
    const AVCodec* decoder = decoderFor(stream.codecpar->codec_id, options.anyFormat);
    if (!decoder)
        failWithoutDecoder(*stream.codecpar, name, options.anyFormat);
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(decoder->id);
    m_intraOnly = descriptor && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
    open(*decoder, stream, options);
}

void VideoDecoder::open(const AVCodec& decoder, const AVStream& stream, const VideoReadOptions& options)
{
    m_context.reset(avcodec_alloc_context3(&decoder));
    if (!m_context || avcodec_parameters_to_context(m_context.get(), stream.codecpar) < 0)
        throw FileError(m_name, "there is not enough memory to decode it", "close other programs");
    m_context->pkt_timebase = stream.time_base;
    m_context->max_pixels = options.limits.videoPixels;
    m_context->thread_count = threadsFor(options, *stream.codecpar);
    m_context->thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
    if (options.hardware)
        tryHardware(decoder);
    const int error = avcodec_open2(m_context.get(), &decoder, nullptr);
    if (error < 0)
        throw FileError(m_name, fmt::format("its {} video cannot be decoded ({})", decoder.name, errorText(error)),
                        "copy or convert it again");
}

void VideoDecoder::tryHardware(const AVCodec& decoder)
{
    for (int i = 0; const AVCodecHWConfig* config = avcodec_get_hw_config(&decoder, i); ++i) {
        if ((config->methods & AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) == 0)
            continue;
        AVBufferRef* device = nullptr;
        if (av_hwdevice_ctx_create(&device, config->device_type, nullptr, nullptr, 0) < 0)
            continue;
        m_device.reset(device);
        m_deviceFormat = config->pix_fmt;
        m_deviceName = av_hwdevice_get_type_name(config->device_type);
        m_context->hw_device_ctx = av_buffer_ref(device);
        m_context->opaque = this;
        m_context->get_format = chooseFormat;
        return;
    }
    m_notes.push_back(fmt::format("decoded in software: no device here decodes {}", decoder.name));
}

AVPixelFormat VideoDecoder::chooseFormat(AVCodecContext* context, const AVPixelFormat* offered)
{
    auto& self = *static_cast<VideoDecoder*>(context->opaque);
    for (const AVPixelFormat* format = offered; *format != AV_PIX_FMT_NONE; ++format)
        if (*format == self.m_deviceFormat)
            return *format;
    if (!self.m_deviceName.empty())
        self.m_notes.push_back(fmt::format("decoded in software: {} does not decode this kind of {}",
                                           self.m_deviceName, context->codec->name));
    self.m_deviceName.clear();
    return avcodec_default_get_format(context, offered);
}

bool VideoDecoder::send(const AVPacket& packet)
{
    // An empty packet would signal the end.
    if (packet.size == 0)
        return true;
    const int error = avcodec_send_packet(m_context.get(), &packet);
    if (error == AVERROR(ENOMEM))
        throw FileError(m_name, "there is not enough memory to decode it", "close other programs");
    return error >= 0;
}

void VideoDecoder::leaveOutUnneeded(bool yes)
{
    // Other codecs depend on such frames after all: probabilities, maps, references of higher layers.
    const AVCodecID codec = m_context->codec_id;
    const bool canBe = codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_MPEG1VIDEO
                       || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG4;
    m_context->skip_frame = yes && canBe ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
}

void VideoDecoder::drain()
{
    avcodec_send_packet(m_context.get(), nullptr);
}

VideoDecoder::Receive VideoDecoder::receive(AVFrame& frame)
{
    const int error = avcodec_receive_frame(m_context.get(), &frame);
    if (error == AVERROR(EAGAIN))
        return Receive::NeedsPacket;
    if (error == AVERROR_EOF)
        return Receive::End;
    if (error == AVERROR(ENOMEM))
        throw FileError(m_name, "there is not enough memory to decode it", "close other programs");
    return error < 0 ? Receive::Damaged : Receive::Frame;
}

std::string VideoDecoder::description() const
{
    if (!m_deviceName.empty())
        return fmt::format("{}, {}", m_context->codec->name, m_deviceName);
    // Some codecs don't support threads; others, from external libraries, have their own.
    const bool own = (m_context->codec->capabilities & AV_CODEC_CAP_OTHER_THREADS) != 0;
    const int threads = own || m_context->active_thread_type != 0 ? std::max(1, m_context->thread_count) : 1;
    return fmt::format("{}, {}", m_context->codec->name, counted(threads, "thread"));
}

}

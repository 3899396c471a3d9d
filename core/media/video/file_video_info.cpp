#include "core/media/video/file_video.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace attnscope {

namespace {

Fraction fraction(AVRational value)
{
    return {value.num, value.den == 0 ? 1 : value.den};
}

/// Derived from the frames if the container doesn't state it.
Fraction averageRate(const AVStream& stream)
{
    if (stream.avg_frame_rate.num > 0 && stream.avg_frame_rate.den > 0)
        return fraction(stream.avg_frame_rate);
    return fraction(stream.r_frame_rate.num > 0 ? stream.r_frame_rate : AVRational{0, 1});
}

/// Matroska states the length of a stream among its tags: "00:00:06.333000000".
std::optional<int64_t> taggedDuration(const AVStream& stream)
{
    const AVDictionaryEntry* tag = av_dict_get(stream.metadata, "DURATION", nullptr, 0);
    int64_t microseconds = 0;
    if (!tag || stream.start_time > 0 || av_parse_time(&microseconds, tag->value, 1) < 0 || microseconds <= 0)
        return std::nullopt;
    return av_rescale_q(microseconds, AV_TIME_BASE_Q, stream.time_base);
}

struct Turning {
    int degrees = 0;  ///< clockwise
    bool exact = true, mirrored = false;
};

Turning turningOf(const AVStream& stream)
{
    const int32_t* matrix = displayMatrixOf(stream);
    if (!matrix)
        return {};
    const double clockwise = -av_display_rotation_get(matrix);
    if (!std::isfinite(clockwise))
        return {};
    const double quarters = std::round(clockwise / 90);
    Turning turning;
    turning.degrees = ((int(quarters) % 4) + 4) % 4 * 90;
    turning.exact = std::abs(clockwise - quarters * 90) < 0.5;
    turning.mirrored = double(matrix[0]) * matrix[4] < double(matrix[1]) * matrix[3];
    return turning;
}

void noteTurning(const Turning& turning, std::vector<std::string>& notes)
{
    if (turning.mirrored)
        notes.emplace_back("the file requests mirroring, which is not applied");
    if (!turning.exact)
        notes.push_back(fmt::format("its rotation was rounded to {} degrees", turning.degrees));
}

void notePixels(const AVFrame& frame, std::vector<std::string>& notes)
{
    const AVPixFmtDescriptor* format = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
    if (!format)
        return;
    if (format->comp[0].depth > 8)
        notes.push_back(fmt::format("{} bits per channel were reduced to 8", format->comp[0].depth));
    if (format->flags & AV_PIX_FMT_FLAG_ALPHA)
        notes.emplace_back("transparency was dropped");
    if (frame.color_trc == AVCOL_TRC_SMPTE2084 || frame.color_trc == AVCOL_TRC_ARIB_STD_B67)
        notes.emplace_back("its high dynamic range was not tone-mapped");
}

void noteShape(const AVFrame& frame, const AVStream& stream, std::vector<std::string>& notes)
{
    const AVRational shape = av_guess_sample_aspect_ratio(nullptr, const_cast<AVStream*>(&stream),
                                                          const_cast<AVFrame*>(&frame));
    if (shape.num > 0 && shape.den > 0 && shape.num != shape.den)
        notes.push_back(fmt::format("its pixels have an aspect ratio of {}:{} but are treated as square",
                                    shape.num, shape.den));
    if (isInterlaced(frame))
        notes.emplace_back("it is interlaced; both fields are used as one frame");
}

}

VideoInfo infoOf(const Demuxer& demuxer, const VideoDecoder& decoder, const AVFrame& first)
{
    const AVStream& stream = demuxer.stream();
    const Turning turning = turningOf(stream);
    VideoInfo info;
    info.container = demuxer.containerName();
    info.codec = avcodec_get_name(stream.codecpar->codec_id);
    const char* pixels = av_get_pix_fmt_name(static_cast<AVPixelFormat>(first.format));
    info.pixelFormat = pixels ? pixels : "";
    info.decoder = decoder.description();
    info.width = first.width;
    info.height = first.height;
    info.rotation = turning.degrees;
    info.averageRate = averageRate(stream);
    info.timeBase = fraction(stream.time_base);
    if (stream.nb_frames > 0)
        info.frames = stream.nb_frames;
    if (stream.duration != AV_NOPTS_VALUE && stream.duration > 0)
        info.duration = stream.duration;
    info.tagged = taggedDuration(stream);
    info.seekable = !demuxer.isUrl();
    info.notes = decoder.notes();
    noteTurning(turning, info.notes);
    notePixels(first, info.notes);
    noteShape(first, stream, info.notes);
    return info;
}

}

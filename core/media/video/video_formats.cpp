#include "core/media/video/video_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

namespace attnscope {

namespace {

using namespace std::string_view_literals;

/// Made by cameras, phones and the web; then Windows Media, old phones and Flash; then video editing and laboratories.
constexpr std::array decoders{
    "h264"sv,       "hevc"sv,       "vp8"sv,   "vp9"sv,     "libdav1d"sv, "libaom-av1"sv, "av1"sv,
    "mpeg1video"sv, "mpeg2video"sv, "mpeg4"sv, "mjpeg"sv,   "gif"sv,      "theora"sv,     "vp6"sv,
    "vp6f"sv,       "vp6a"sv,       "wmv1"sv,  "wmv2"sv,    "wmv3"sv,     "vc1"sv,        "msmpeg4v1"sv,
    "msmpeg4v2"sv,  "msmpeg4"sv,    "h263"sv,  "flv"sv,     "svq1"sv,     "svq3"sv,       "cinepak"sv,
    "indeo5"sv,     "prores"sv,     "dnxhd"sv, "dvvideo"sv, "ffv1"sv,     "huffyuv"sv,    "ffvhuff"sv,
    "utvideo"sv,    "rawvideo"sv,   "png"sv,   "qtrle"sv,   "v210"sv,
};

/// Parts of names: of demuxers that open files named in a file, render text, or access devices.
constexpr std::array denied{
    "concat"sv, "hls"sv,         "dash"sv,     "applehttp"sv,  "image2"sv, "_pipe"sv,
    "sdp"sv,    "rtsp"sv,        "rtp"sv,      "sap"sv,        "imf"sv,    "manifest"sv,
    "tty"sv,    "vapoursynth"sv, "avisynth"sv, "libopenmpt"sv, "libgme"sv, "modplug"sv,
    "lavfi"sv,  "ffmetadata"sv,  "rawvideo"sv, "data"sv,       "bin"sv,    "idf"sv,
    "adf"sv,    "xbin"sv,        "live_flv"sv, "redir"sv,      "smil"sv,   "tedcaptions"sv,
};

thread_local bool streamsComplaint = false;

/// FFmpeg reports "out of memory" for a container with too many streams; the reason is only in its log.
void listen(void*, int, const char* format, va_list)
{
    if (std::strncmp(format, "Number of streams exceeds", 25) == 0)
        streamsComplaint = true;
}

}

std::span<const std::string_view> allowedDecoders()
{
    return decoders;
}

std::string decoderWhitelist()
{
    return fmt::format("{}", fmt::join(decoders, ","));
}

bool mayOpenAny(const AVInputFormat& format)
{
    const std::string_view name = format.name;
    const auto isIn = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return (format.flags & AVFMT_NOFILE) == 0 && std::ranges::none_of(denied, isIn);
}

std::string anyFormatWhitelist()
{
    std::string list;
    void* position = nullptr;
    while (const AVInputFormat* format = av_demuxer_iterate(&position))
        if (mayOpenAny(*format))
            list += (list.empty() ? "" : ",") + std::string(format->name);
    return list;
}

const AVCodec* decoderFor(AVCodecID codec, bool any)
{
    for (const std::string_view name : decoders) {
        const AVCodec* decoder = avcodec_find_decoder_by_name(name.data());
        // FFmpeg's own "av1" only drives hardware.
        if (decoder && decoder->id == codec && name != "av1")
            return decoder;
    }
    return any ? avcodec_find_decoder(codec) : nullptr;
}

void prepareFfmpeg()
{
    static std::once_flag once;
    std::call_once(once, [] {
        av_log_set_callback(listen);
        // Per allocation: a frame of the largest size and depth fits, the tables that hostile headers request do not.
        av_max_alloc(size_t{320} << 20);
    });
}

bool tooManyStreamsSeen()
{
    return std::exchange(streamsComplaint, false);
}

}

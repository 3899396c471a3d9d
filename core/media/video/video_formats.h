#pragma once

#include "core/media/video/ffmpeg.h"

#include <span>
#include <string>
#include <string_view>

/// Which of FFmpeg's demuxers and decoders may be used. Every list here is also in docs/video.md.
namespace attnscope {

/// FFmpeg's names of the decoders that are used by default.
std::span<const std::string_view> allowedDecoders();

/// The same in the form of FFmpeg's option codec_whitelist.
std::string decoderWhitelist();

/// For the option anyFormat: every demuxer of this FFmpeg except those that open further files (playlists, patterns, session descriptions),
/// render text or sound, or start programs.
std::string anyFormatWhitelist();
bool mayOpenAny(const AVInputFormat& format);

/// The decoder for a codec: the first in our list, or with `any` FFmpeg's own choice. Null if there is none.
const AVCodec* decoderFor(AVCodecID codec, bool any);

/// Silences FFmpeg, which would write to the terminal, and limits its allocations; once per process.
void prepareFfmpeg();

/// Whether FFmpeg complained, in this thread since the last call, that a container has too many streams.
bool tooManyStreamsSeen();

}

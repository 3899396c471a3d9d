// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/video/ffmpeg.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which of FFmpeg's readers and decoders may be used. Every list here is also in docs/video.md.
namespace attnscope {

/// FFmpeg's names of the decoders that are used without being asked for.
std::span<const std::string_view> allowedDecoders();

/// The same as FFmpeg's option codec_whitelist wants them.
std::string decoderWhitelist();

/// For the option anyFormat: every reader of this FFmpeg but those that open further files (playlists, patterns,
/// descriptions of sessions), make pictures out of text or sound, or start programs.
std::string anyFormatWhitelist();
bool mayOpenAny(const AVInputFormat& format);

/// The decoder for a codec: the first in our list, or with `any` FFmpeg's own choice. Null where there is none.
const AVCodec* decoderFor(AVCodecID codec, bool any);

/// Silences FFmpeg, which would write to the terminal, and limits its allocations; once for the process.
void prepareFfmpeg();

/// Whether FFmpeg complained, in this thread and since the last call, that a container has too many streams.
bool tooManyStreamsSeen();

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/video/demuxer.h"
#include "core/media/video/video_decoder.h"

namespace attnscope {

/// What container, decoder and first frame state. `start` is left to the caller, who knows the frame's time.
VideoInfo infoOf(const Demuxer& demuxer, const VideoDecoder& decoder, const AVFrame& first);

}  // namespace attnscope

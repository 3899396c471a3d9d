#pragma once

#include "core/data/preprocess/video_views.h"
#include "core/media/video/video_reader.h"

#include <filesystem>
#include <stop_token>

namespace attnscope {

/// The views of a video file, an animated GIF or a folder of frames.
///
/// Decodes once if frames are where the container says (constant rate, mp4 and avi), reading only those that are used; twice if times or
/// number are known only at the end (webm, mkv, variable rate). Frames are transformed on arrival, once per time, and kept within
/// limits.clipBytes; if that is not enough, the clips that fit, and the next ones on demand. Throws FileError (also: no frame in the
/// requested part, a clip beyond the limit), UsageError for a request that no video could satisfy, Cancelled when stopped.
///
/// Decodes with one thread unless the options say otherwise, so that a damaged video gives the same frames each time.
VideoViews openVideoViews(const std::filesystem::path& path, VideoReadOptions options, const ViewRequest& request,
                          std::stop_token stop = {});

}

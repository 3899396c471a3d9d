#pragma once

#include "core/live/play_source.h"
#include "core/media/video/video_reader.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace attnscope {

/// A video file, an animated GIF or a folder of frames. Throws what VideoReader's constructor throws.
std::unique_ptr<PlaySource> playVideo(const std::filesystem::path& path, const VideoReadOptions& options,
                                      std::stop_token stop);

/// A live source, whose frames arrive in real time: a camera.
std::unique_ptr<PlaySource> playLive(std::unique_ptr<FrameSource> frames, const std::string& name, double rate);

}

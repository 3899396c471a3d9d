// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/video_views.h"
#include "core/run/run_record.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>
#include <string>

namespace attnscope::cli {

/// How videos among the inputs are looked at.
struct VideoArguments {
    std::string views;  ///< "10x3"; empty: the command's own
    std::string sampling = "published";
    std::string startTime = "subtract";
    std::string rotation = "ignore";
    double start = 0;
    double duration = 0;  ///< 0: to the end
    bool anyFormat = false;
};

/// `usual`: the views of this command, unless the user says others.
void addVideo(CLI::App& command, VideoArguments& arguments, ViewGrid usual);

/// What the options ask for, of this model. Throws UsageError.
ViewRequest viewRequest(const VideoArguments& arguments, ViewGrid usual, const ModelSummary& model,
                        const Transform& transform);

/// Decodes the frames of one video that are looked at. Throws FileError, Cancelled.
using VideoOpener = std::function<VideoViews(const std::string& path)>;
VideoOpener videoOpener(const VideoArguments& arguments, const Limits& limits, const ViewRequest& request,
                        std::stop_token stop);

/// By its first bytes; a folder by its names. A build without videos finds none.
bool beginsLikeAVideo(const std::string& path);
/// By its first bytes, or at least by its name, so that a broken one is not passed over.
bool maybeVideo(const std::string& path);

}  // namespace attnscope::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/video_inputs.h"

#include "app/cli/input/arguments.h"
#include "core/base/error.h"
#include "core/run/view_request.h"
#ifdef ATTNSCOPE_MEDIA
#include "core/media/views/open_views.h"
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace attnscope::cli {

namespace {

const std::vector<std::string> rotations{"ignore", "apply"};
const std::vector<std::string> startTimes{"subtract", "official"};
const std::vector<std::string> samplings{"published", "ssv2"};

std::string suffixOf(const std::string& path)
{
    std::string suffix = std::filesystem::path(path).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix;
}

}  // namespace

void addVideo(CLI::App& command, VideoArguments& arguments, ViewGrid usual)
{
    addText(command, "--views", arguments.views,
            "Clips in time × crops in space of a video: 10x3 is the published protocol, 1x1 the centre of its first clip (default: "
                + usual.name() + ")",
            "TxS");
    addChoice(command, "--sampling", arguments.sampling,
              "Clips of a fixed length (published), or one over the whole video (ssv2)", samplings, "RULE");
    command.add_option("--start", arguments.start, "Start time in a video, in seconds")
        ->check(between(0, 1e9))
        ->type_name("S");
    command.add_option("--duration", arguments.duration, "Duration to use of a video, in seconds")
        ->check(between(1e-6, 1e9))
        ->type_name("S");
    addChoice(command, "--rotation", arguments.rotation,
              "Rotation recorded in a video: ignore, as the published evaluation does, or apply", rotations, "HOW");
    addChoice(command, "--start-time", arguments.startTime,
              "Time of a video's first frame: subtract it, or leave it as the authors' loader does (official), which cuts such videos "
              "short",
              startTimes, "HOW");
    command.add_flag("--any-format", arguments.anyFormat,
                     "Read every video format that FFmpeg supports, not only those in docs/video.md");
}

ViewRequest viewRequest(const VideoArguments& arguments, ViewGrid usual, const ModelSummary& model,
                        const Transform& transform)
{
    ViewRequest request = viewRequestOf(model, transform);
    const bool segments = arguments.sampling == "ssv2";
    if (segments)
        usual.clips = 1;
    request.grid = arguments.views.empty() ? usual : ViewGrid::parse(arguments.views);
    request.rule = segments ? SamplingRule::Segments : SamplingRule::Published;
    if (segments && request.frames > 0 && request.grid.clips != 1)
        throw UsageError("views", "--sampling ssv2 has one clip, over the whole video", "give --views 1x3 or 1x1");
    request.startTime = arguments.startTime == "official" ? StartTime::Official : StartTime::Subtract;
    request.rotation = arguments.rotation == "apply" ? Rotation::Apply : Rotation::Ignore;
    request.start = arguments.start;
    if (arguments.duration > 0)
        request.duration = arguments.duration;
    return request;
}

#ifdef ATTNSCOPE_MEDIA

VideoOpener videoOpener(const VideoArguments& arguments, const Limits& limits, const ViewRequest& request,
                        std::stop_token stop)
{
    VideoReadOptions options;
    options.limits = limits;
    options.anyFormat = arguments.anyFormat;
    return [=](const std::string& path) { return openVideoViews(path, options, request, stop); };
}

bool beginsLikeAVideo(const std::string& path)
{
    return looksLikeVideo(path);
}

#else

VideoOpener videoOpener(const VideoArguments&, const Limits&, const ViewRequest&, std::stop_token)
{
    return [](const std::string& path) -> VideoViews {
        std::error_code error;
        if (!std::filesystem::exists(path, error))
            throw FileError(path, "file not found");
        throw FileError(
            path, "this build has no video decoder",
            "build with -DATTNSCOPE_MEDIA=ON, or give a safetensors file with a preprocessed tensor `input`");
    };
}

bool beginsLikeAVideo(const std::string&)
{
    return false;
}

#endif

bool maybeVideo(const std::string& path)
{
    constexpr std::array<const char*, 16> suffixes{".mp4", ".m4v", ".mov",  ".mkv", ".webm", ".avi",
                                                   ".gif", ".mpg", ".mpeg", ".ts",  ".mts",  ".flv",
                                                   ".wmv", ".3gp", ".ogv",  ".y4m"};
    return std::find(suffixes.begin(), suffixes.end(), suffixOf(path)) != suffixes.end() || beginsLikeAVideo(path);
}

}  // namespace attnscope::cli

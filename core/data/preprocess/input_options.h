#pragma once

#include "core/base/limits.h"
#include "core/base/options/options.h"
#include "core/data/preprocess/reading_options.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The options of what images and videos are read, and how.
namespace attnscope {

/// How videos among the inputs are looked at.
struct VideoOptions {
    std::string views;  ///< "10x3"; empty: the command's own
    std::string sampling = "published";
    double start = 0;     ///< s
    double duration = 0;  ///< s; 0: to the end
    bool anyFormat = false;
};

/// `defaultViews`: those of this command, unless the user says others.
void visitSampling(MaybeConst<VideoOptions> auto& options, MaybeConst<ReadingOptions> auto& reading, auto& visit,
                   const std::string& defaultViews, std::vector<std::string> rules = {"published", "ssv2"})
{
    visit("--views", options.views, anyText("TxS"),
          "Clips in time × crops in space of a video: 10x3 is the published protocol, 1x1 the centre of its first "
          "clip (default: "
              + defaultViews + ")");
    const bool isChosen = rules.front() == "auto";
    visit("--sampling", options.sampling, oneOf(std::move(rules), "RULE"),
          std::string("Clips of a fixed length (published), or one over the whole video (ssv2)")
              + (isChosen ? "; auto: ssv2 for Something-Something's splits, otherwise published" : ""));
    visit("--rotation", reading.rotation, oneOf({"ignore", "apply"}, "HOW"),
          "Rotation recorded in a video: ignore, as the published evaluation does, or apply");
    visit("--start-time", reading.startTime, oneOf({"subtract", "official"}, "HOW"),
          "Time of a video's first frame: subtract it, or leave it as the authors' loader does (official), which "
          "cuts such videos short");
}

/// What an image may require.
void visitImages(MaybeConst<ReadingOptions> auto& reading, MaybeConst<Limits> auto& limits, auto& visit)
{
    visit("--orientation", reading.orientation, oneOf({"ignore", "apply"}, "HOW"),
          "Rotation recorded by cameras (EXIF): ignore, as published evaluations do, or apply");
    visit("--limit-pixels", limits.imagePixels, within(1, double(int64_t{1} << 34)),
          "Reject images with more pixels");
    visit("--limit-side", limits.imageSide, within(1, 1 << 20), "Reject images that are wider or higher");
    visit("--limit-bytes", limits.imageBytes, within(1, INT32_MAX), "Reject larger image files");
}

constexpr double maxLimit = double(int64_t{1} << 40);  // of samples

void visitLayout(MaybeConst<std::string> auto& layout, auto& visit, const char* help = "Layout of the folder")
{
    visit("--layout", layout, oneOf({"auto", "imagenet", "kinetics", "list"}), help);
}

struct InputOptions {
    std::vector<std::string> paths;
    bool isInline = false;  ///< decoded in this process
    VideoOptions video;
    ReadingOptions reading;
    Limits limits;
};

void visitInputs(MaybeConst<InputOptions> auto& options, auto& visit, const std::string& defaultViews)
{
    visit("INPUT", options.paths,
          OptionRule{.type = "TEXT", .showsDefault = false, .required = true, .repeats = true},
          "Images, videos, folders of images, videos or frames, or safetensors files with a preprocessed tensor "
          "`input`");
    visitImages(options.reading, options.limits, visit);
    visit("--decoder", options.isInline, oneOf({"process", "inline"}, "WHERE"),
          "Decode images and videos in separate processes, so that a crash costs only one file, or inline");
    visit("--limit-clip-bytes", options.limits.clipBytes, within(1, double(int64_t{1} << 40)),
          "Maximum memory for a video's frames at a time");
    visitSampling(options.video, options.reading, visit, defaultViews);
    visit("--start", options.video.start, optionalWithin(0, 1e9, "S"), "Start time in a video, in seconds");
    visit("--duration", options.video.duration, optionalWithin(1e-6, 1e9, "S"),
          "Duration to use of a video, in seconds");
    visit("--any-format", options.video.anyFormat,
          "Read every video format that FFmpeg supports, not only those in docs/video.md");
}

}

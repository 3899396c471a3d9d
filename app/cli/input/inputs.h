#pragma once

#include "core/base/limits.h"
#include "core/data/preprocess/reading_options.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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

/// --views, --sampling, --rotation, --start-time, also of `evaluate`.
void addSampling(CLI::App& command, VideoArguments& arguments, const std::string& usual,
                 const std::vector<std::string>& rules);
/// `usual`: the views of this command, unless the user says others.
void addVideo(CLI::App& command, VideoArguments& arguments, ViewGrid usual);
ReadingOptions readingOf(const VideoArguments& arguments);
std::optional<ViewGrid> gridOf(const VideoArguments& arguments);

/// What the options ask for, of this model. Throws UsageError.
ViewRequest viewRequest(const VideoArguments& arguments, ViewGrid usual, const ModelSummary& model,
                        const Transform& transform);

/// What `classify` and `compare` take as INPUT.
struct InputArguments {
    std::vector<std::string> paths;
    std::string orientation = "ignore";
    std::string decoder = "process";  ///< "process" or "inline"
    VideoArguments video;
    Limits limits;
};

void addInputs(CLI::App& command, InputArguments& arguments);
/// --orientation and what an image may require.
void addImages(CLI::App& command, std::string& orientation, Limits& limits);

/// Decodes one image. Throws FileError.
using ImageReader = std::function<Clip(const std::string& path)>;

/// Decodes the frames of one video that are looked at. Throws FileError, Cancelled.
using VideoOpener = std::function<VideoViews(const std::string& path)>;
VideoOpener videoOpener(const InputArguments& arguments, const ViewRequest& request, std::stop_token stop);

/// How the arguments want images to be read. Begins to start the decoder process where an image was named, so
/// that this overlaps with what comes before the first image. Throws Unsupported when there is no decoder to
/// start.
ImageReader imageReader(const InputArguments& arguments);

/// What reads the files.
struct InputReaders {
    ImageReader image;
    VideoOpener video;
};

/// Images, videos, folders of either (sorted), and safetensors files whose tensor `input` is already preprocessed: each
/// of its batch elements becomes a source of its own, "file.safetensors[2]". What a path is goes by its content. A folder of
/// numbered images is one video for models of videos; for models of images its images are images. A path that leads
/// nowhere becomes a source that fails when it is opened, so that it is listed like every other unreadable one.
/// `elementRank`: 3 for models of images (C,H,W), 4 for those of videos (C,T,H,W).
std::vector<InputSource> inputSources(const InputArguments& arguments, const InputReaders& readers,
                                      size_t elementRank);

}

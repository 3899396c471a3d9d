#pragma once

#include "core/data/preprocess/input_options.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope::cli {

/// "auto" leaves the rule to the data set.
ReadingOptions readingOf(const ReadingOptions& reading, const VideoOptions& video);
std::optional<ViewGrid> gridOf(const VideoOptions& video);

/// What the options ask for, of this model. Throws UsageError.
ViewRequest viewRequest(const InputOptions& options, ViewGrid usual, const ModelSummary& model,
                        const Transform& transform);

/// Decodes one image. Throws FileError.
using ImageReader = std::function<Clip(const std::string& path)>;

/// Decodes the frames of one video that are looked at. Throws FileError, Cancelled.
using VideoOpener = std::function<VideoViews(const std::string& path)>;
VideoOpener videoOpener(const InputOptions& options, const ViewRequest& request, std::stop_token stop);

/// How the options want images to be read. Begins to start the decoder process where an image was named, so
/// that this overlaps with what comes before the first image. Throws Unsupported when there is no decoder to
/// start.
ImageReader imageReader(const InputOptions& options);

/// What reads the files.
struct InputReaders {
    ImageReader image;
    VideoOpener video;
    /// As another network than the first takes it; empty: there is no other.
    std::function<VideoViews(const std::string& path, const Classifier& network)> otherVideo = {};
};

/// Images, videos, folders of either (sorted), and safetensors files whose tensor `input` is already preprocessed: each
/// of its batch elements becomes a source of its own, "file.safetensors[2]". What a path is goes by its content. A folder of
/// numbered images is one video for models of videos; for models of images its images are images. A path that leads
/// nowhere becomes a source that fails when it is opened, so that it is listed like every other unreadable one.
/// `elementRank`: 3 for models of images (C,H,W), 4 for those of videos (C,T,H,W).
std::vector<InputSource> inputSources(const InputOptions& options, const InputReaders& readers,
                                      size_t elementRank);

}

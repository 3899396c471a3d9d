#pragma once

#include "core/base/limits.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/data/loading/crop_cache.h"
#include "core/data/loading/view_loader.h"
#include "core/data/preprocess/video_views.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// How the files of a set become network input. Independent of torch.
namespace attnscope {

struct ReadingRequest {
    std::shared_ptr<const LabelledSet> data;
    ViewRequest views;  ///< for videos; of images only its transform is used
    Limits limits;
    std::stop_token stop;
    std::shared_ptr<CropCache> cache = {};  ///< for images; empty: none
    bool orientation = false;               ///< images are rotated as the camera recorded
};

/// Everything but the image that determines its crop, for a cache: the transform, orientation, the limits, and the versions of the decoders.
std::string cropDescription(const ReadingRequest& request);

/// Creates the loader of one thread: images are read by its own decoder process. If a decoder dies, another one gets the image; if the
/// image is the cause, that dies too, and the sample is unreadable. Errors have no subject: the sample's path is known. Throws Unsupported
/// in a build without decoders.
std::function<SampleLoader()> imageLoaders(const ReadingRequest& request);

/// The same before normalisation, written directly into the batch: (H,W,3), or of several requests of one data set, whose limits and
/// orientation are those of the first, the pixels of their crops one after another. An image is decoded once for all of them, unless JPEGs are
/// decoded to a fraction of their size.
std::function<SampleWriter<uint8_t>()> pixelWriters(const std::vector<ReadingRequest>& requests);

/// For crops that the device makes: decoded images as core/data/loading/packed_image.h writes them, without a cache.
std::function<SampleWriter<uint8_t>()> packedWriters(const ReadingRequest& request);

/// Creates the opener of one thread. A video's frames are kept within 256 MiB, or the limit if that is lower.
std::function<ViewOpener()> videoOpeners(const ReadingRequest& request);

/// Versions of all decoders that its files may need: those of images, FFmpeg's for videos, both for videos of which some are folders of frames.
std::string decoderVersion(const LabelledSet& data);

}

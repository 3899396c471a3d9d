// SPDX-License-Identifier: Apache-2.0
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

/// Free of torch: how the files of a set become what a network sees.
namespace attnscope {

struct ReadingRequest {
    std::shared_ptr<const LabelledSet> data;
    ViewRequest views;  ///< of videos; of pictures its transform alone
    Limits limits;
    std::stop_token stop;
    std::shared_ptr<CropCache> cache = {};  ///< of pictures; empty: none
};

/// Everything but the picture that decides on its crop, for a cache: the transform, the limits, and the versions of what decodes.
std::string cropDescription(const ReadingRequest& request);

/// Makes the loader of one thread: pictures by a decoder process of its own. After a decoder's death another one
/// gets the picture; one that dies of the picture does so again, and then the sample is unreadable. Errors are
/// without their subject: the sample's path is known. Throws Unsupported in a build that cannot decode.
std::function<SampleLoader()> imageLoaders(const ReadingRequest& request);

/// The same before they are normalised: (H,W,3), written where a batch has its place for them.
std::function<SampleWriter<std::uint8_t>()> pixelWriters(const ReadingRequest& request);

/// Makes the opener of one thread. A video's frames are held within 256 MiB, or the limit where that is lower.
std::function<ViewOpener()> videoOpeners(const ReadingRequest& request);

/// Versions of what decodes: "OpenCV 4.6.0", "FFmpeg 5.1".
std::string decoderVersion(bool video);

}  // namespace attnscope

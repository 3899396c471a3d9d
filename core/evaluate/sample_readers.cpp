// SPDX-License-Identifier: Apache-2.0
#include "core/evaluate/sample_readers.h"

#include "core/base/error.h"

#ifdef ATTNSCOPE_MEDIA
#include "core/media/decoder_process.h"
#include "core/media/video/video_support.h"
#include "core/media/views/open_views.h"
#endif

#include <algorithm>

namespace attnscope {

#ifdef ATTNSCOPE_MEDIA

namespace {

/// Of the frames of one video, however many views look at them: a video of Kinetics has 116 MB in them.
constexpr std::int64_t heldBytes = std::int64_t{256} << 20;

const std::string& pathOf(const ReadingRequest& request, std::int64_t sample)
{
    return request.data->files[static_cast<std::size_t>(sample)].path;
}

Clip readTwice(DecoderProcess& decoder, const std::string& path, const Limits& limits)
{
    try {
        return decoder.read(path, {.limits = limits});
    } catch (const FileError& error) {
        if (error.reason().find("picture decoder") == std::string::npos)
            throw;
    }
    return decoder.read(path, {.limits = limits});
}

/// What `work` throws, without its subject.
template <typename Work>
auto withoutSubject(const Work& work)
{
    try {
        return work();
    } catch (const FileError& error) {
        throw FileError("", error.reason());
    }
}

}  // namespace

std::function<SampleLoader()> pictureLoaders(const ReadingRequest& request)
{
    return [request]() -> SampleLoader {
        const auto decoder = std::make_shared<DecoderProcess>();
        decoder->start(request.limits);
        return [request, decoder](std::int64_t sample, std::uint64_t) {
            return withoutSubject([&] {
                return applyTransform(readTwice(*decoder, pathOf(request, sample), request.limits), request.views.transform);
            });
        };
    };
}

std::function<ViewOpener()> videoOpeners(const ReadingRequest& request)
{
    VideoReadOptions options{.limits = request.limits, .threads = 1};
    options.limits.clipBytes = std::min(options.limits.clipBytes, heldBytes);
    return [request, options]() -> ViewOpener {
        return [request, options](std::int64_t sample) {
            const auto video = std::make_shared<VideoViews>(withoutSubject(
                [&] { return openVideoViews(pathOf(request, sample), options, request.views, request.stop); }));
            return OpenedViews{video->views.size(),
                               [video](std::size_t view) { return withoutSubject([&] { return video->view(view); }); }};
        };
    };
}

std::string decoderVersion(bool video)
{
    return video ? "FFmpeg " + videoSupport().version : "OpenCV " ATTNSCOPE_OPENCV_VERSION;
}

#else

namespace {

[[noreturn]] void refuse(const ReadingRequest& request)
{
    throw Unsupported(request.data->root, "this build has no decoders for pictures and videos", "build with ATTNSCOPE_MEDIA=ON to evaluate");
}

}  // namespace

std::function<SampleLoader()> pictureLoaders(const ReadingRequest& request)
{
    refuse(request);
}

std::function<ViewOpener()> videoOpeners(const ReadingRequest& request)
{
    refuse(request);
}

std::string decoderVersion(bool)
{
    return "none";
}

#endif

}  // namespace attnscope

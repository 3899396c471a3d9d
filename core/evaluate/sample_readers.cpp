#include "core/evaluate/sample_readers.h"

#include "core/base/error.h"
#include "core/data/dataset/video_segment.h"
#include "core/data/loading/packed_image.h"
#include "core/data/preprocess/normalise.h"

#ifdef ATTNSCOPE_MEDIA
#include "core/media/image/decoder_process.h"
#include "core/media/image/jpeg_decoder.h"
#include "core/media/image/tiff_decoder.h"
#include "core/media/video/video_support.h"
#include "core/media/views/open_views.h"
#endif

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

namespace attnscope {

#ifdef ATTNSCOPE_MEDIA

namespace {

/// For the frames of one video, whatever the number of views: a Kinetics video has 116 MB of them.
constexpr int64_t heldBytes = int64_t{256} << 20;

const std::string& pathOf(const ReadingRequest& request, int64_t sample)
{
    return request.data->files[size_t(sample)].path;
}

/// How often a file is retried with another decoder: a decoder that crashed on it crashes again, but one that was killed from
/// outside (or by the system, for lack of memory) reveals nothing about the file.
int triesAfter(DecoderFailure::Cause cause)
{
    switch (cause) {
    case DecoderFailure::Cause::Killed:
        return 8;
    case DecoderFailure::Cause::Died:
        return 2;
    case DecoderFailure::Cause::Slow:
        break;
    }
    return 1;
}

/// What `work` returns, in further attempts where a decoder failed that may not fail again.
template <typename Work>
auto withAnotherDecoder(const Work& work)
{
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (int tries = 1;; ++tries) {
        try {
            return work();
        } catch (const DecoderFailure& error) {
            if (tries >= triesAfter(error.cause()))
                throw;
        } catch (const DecoderNotStarted& error) {
            // A decoder that can't be started ends the evaluation.
            if (error.cause() != DecoderNotStarted::Cause::Killed || std::chrono::steady_clock::now() > patience)
                throw;
            --tries;  // doesn't count as an attempt
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }
}

/// Rethrows exceptions of `work` without their subject.
template <typename Work>
auto withoutSubject(const Work& work)
{
    try {
        return work();
    } catch (const FileError& error) {
        throw FileError("", error.reason());
    }
}

/// The crop that a request's cache holds; empty if it has none.
std::optional<Clip> cachedCrop(const ReadingRequest& request, const std::optional<std::string>& identity)
{
    if (!request.cache || !identity)
        return std::nullopt;
    const Transform& transform = request.views.transform;
    Clip crop{.frames = 1, .height = transform.cropHeight, .width = transform.cropWidth};
    crop.pixels.resize(size_t(crop.height * crop.width * 3));
    return request.cache->find(*identity, crop.pixels) ? std::optional(std::move(crop)) : std::nullopt;
}

/// The image without so many pixels at each edge. Throws FileError if nothing is left.
Clip withoutBorder(const Clip& image, int64_t border)
{
    Clip inner{.frames = 1, .height = image.height - 2 * border, .width = image.width - 2 * border};
    if (inner.height < 1 || inner.width < 1)
        throw FileError("", "it is nothing but its border", "give the images of ObjectNet");
    const int64_t row = 3 * inner.width;
    for (int64_t y = border; y < border + inner.height; ++y) {
        const auto begin = image.pixels.begin() + 3 * (y * image.width + border);
        inner.pixels.insert(inner.pixels.end(), begin, begin + row);
    }
    return inner;
}

ImageReadOptions readOptions(const ReadingRequest& request)
{
    return {request.orientation ? Orientation::Apply : Orientation::Ignore, request.limits};
}

/// How one thread reads images: the crops of a sample that the transforms of these requests show.
std::function<std::vector<Clip>(int64_t)> cropReader(const std::vector<ReadingRequest>& requests)
{
    const ReadingRequest& first = requests.front();
    const auto decoder = std::make_shared<DecoderProcess>();
    if (!first.cache)
        decoder->start(first.limits);  // otherwise it may never be needed
    const ImageReadOptions options = readOptions(first);
    return [requests, options, decoder](int64_t sample) {
        const std::string& path = pathOf(requests.front(), sample);
        const auto identity = requests.front().cache ? imageIdentity(path) : std::nullopt;
        const auto decoded = [&](const auto& read) {
            return withoutSubject([&] { return withAnotherDecoder(read); });
        };
        std::vector<Clip> crops;
        std::vector<size_t> missing;
        for (const ReadingRequest& request : requests) {
            auto crop = cachedCrop(request, identity);
            if (!crop)
                missing.push_back(crops.size());
            crops.push_back(std::move(crop).value_or(Clip()));
        }
        std::optional<Clip> image;
        const int64_t border = requests.front().data->border;
        if (!missing.empty() && border > 0) {
            image = withoutBorder(decoded([&] { return decoder->read(path, options); }), border);
        } else if (missing.size() > 1 && requests.front().views.transform.decoding == JpegDecoding::Exact) {
            try {
                image = decoded([&] { return decoder->read(path, options); });
            } catch (const FileError&) {
                // It may be damaged where no crop shows it.
            }
        }
        for (const size_t place : missing) {
            const ReadingRequest& request = requests[place];
            const Transform& transform = request.views.transform;
            crops[place] = image ? resizeAndCrop(*image, transform)
                                 : decoded([&] { return decoder->readCrop(path, transform, options); });
            if (identity)
                request.cache->keep(path, *identity, crops[place].pixels);
        }
        return crops;
    };
}

}

std::function<SampleLoader()> imageLoaders(const ReadingRequest& request)
{
    return [request]() -> SampleLoader {
        return [crops = cropReader({request}), transform = request.views.transform](int64_t sample, uint64_t) {
            return normalised(crops(sample).front(), transform);
        };
    };
}

std::function<SampleWriter<uint8_t>()> pixelWriters(const std::vector<ReadingRequest>& requests)
{
    return [requests]() -> SampleWriter<uint8_t> {
        return [read = cropReader(requests)](int64_t sample, uint64_t, const SamplePlace<uint8_t>& place) {
            const std::vector<Clip> crops = read(sample);
            int64_t bytes = 0;
            for (const Clip& crop : crops)
                bytes += std::ssize(crop.pixels);
            const Clip& first = crops.front();
            uint8_t* to = place(crops.size() == 1 ? std::vector<int64_t>{first.height, first.width, 3}
                                                  : std::vector<int64_t>{bytes});
            for (const Clip& crop : crops)
                to = std::ranges::copy(crop.pixels, to).out;
        };
    };
}

std::function<SampleWriter<uint8_t>()> packedWriters(const ReadingRequest& request)
{
    return [request]() -> SampleWriter<uint8_t> {
        const auto decoder = std::make_shared<DecoderProcess>();
        decoder->start(request.limits);
        return [request, decoder](int64_t sample, uint64_t, const SamplePlace<uint8_t>& place) {
            const std::string& path = pathOf(request, sample);
            const ImageReadOptions options = readOptions(request);
            const auto use = [&](RgbView<const uint8_t> image, int64_t width, int64_t height) {
                writePacked(image, width, height, request.views.transform,
                            [&](int64_t bytes) { return place({bytes}); });
            };
            withoutSubject([&] {
                withAnotherDecoder([&] {
                    if (request.data->border == 0)
                        return decoder->readDecoded(path, request.views.transform, options, use);
                    Clip image = withoutBorder(decoder->read(path, options), request.data->border);
                    use({image.pixels.data(), image.width * 3}, image.width, image.height);
                    return image;
                });
            });
        };
    };
}

std::function<ViewOpener()> videoOpeners(const ReadingRequest& request)
{
    VideoReadOptions options{.limits = request.limits, .threads = 1};
    options.limits.clipBytes = std::min(options.limits.clipBytes, heldBytes);
    return [request, options]() -> ViewOpener {
        return [request, options](int64_t sample) {
            const VideoSegment segment = segmentOf(pathOf(request, sample));
            ViewRequest views = request.views;
            if (segment.end > 0) {
                views.start = segment.start;
                views.duration = segment.end - segment.start;
                views.mayRepeat = true;
            }
            const auto open = [=] { return openVideoViews(segment.file, options, views, request.stop); };
            const auto video = std::make_shared<VideoViews>(
                withoutSubject([&] { return withAnotherDecoder(open); }));
            return OpenedViews{video->views.size(),
                               [video, open](size_t view) {
                                   bool failed = false;
                                   return withoutSubject([&] {
                                       return withAnotherDecoder([&] {
                                           if (std::exchange(failed, true))
                                               *video = open();
                                           return video->view(view);
                                       });
                                   });
                               },
                               video->partial};
        };
    };
}

namespace {

std::string imageDecoders()
{
    return "OpenCV " ATTNSCOPE_OPENCV_VERSION ", " + jpegVersion() + ", " + tiffVersion();
}

}

std::string cropDescription(const ReadingRequest& request)
{
    // Must be increased when our own code changes pixels.
    constexpr int version = 2;
    const Limits& limits = request.limits;
    std::ostringstream text;
    text << "attnscope crops " << version << "; " << request.views.transform.name() << "; " << imageDecoders()
         << "; limits " << limits.imageBytes << " " << limits.imagePixels << " " << limits.imageSide
         << (request.orientation ? "; orientation applied" : "");
    if (request.data->border > 0)
        text << "; without " << request.data->border << " pixels at each edge";
    return text.str();
}

std::string decoderVersion(const LabelledSet& data)
{
    const bool images = !data.video || std::ranges::any_of(data.files, [](const auto& file) {
        return std::filesystem::is_directory(file.path);
    });
    return (data.video ? "FFmpeg " + videoSupport().version + (images ? ", " : "") : "")
           + (images ? imageDecoders() : "");
}

#else

namespace {

[[noreturn]] void refuse(const ReadingRequest& request)
{
    throw Unsupported(request.data->root, "this build has no decoders for images and videos",
                      "build with ATTNSCOPE_MEDIA=ON to evaluate");
}

}

std::function<SampleLoader()> imageLoaders(const ReadingRequest& request)
{
    refuse(request);
}

std::function<SampleWriter<uint8_t>()> pixelWriters(const std::vector<ReadingRequest>& requests)
{
    refuse(requests.front());
}

std::function<SampleWriter<uint8_t>()> packedWriters(const ReadingRequest& request)
{
    refuse(request);
}

std::function<ViewOpener()> videoOpeners(const ReadingRequest& request)
{
    refuse(request);
}

std::string cropDescription(const ReadingRequest& request)
{
    refuse(request);
}

std::string decoderVersion(const LabelledSet&)
{
    return "none";
}

#endif

}

#include "app/cli/input/inputs.h"

#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/view_request.h"
#ifdef ATTNSCOPE_MEDIA
#include "core/media/format/image_validator.h"
#include "core/media/image/decoder_process.h"
#include "core/media/views/open_views.h"
#endif

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

using Loaded = LoadedInput;

std::string suffixOf(const fs::path& path)
{
    std::string suffix = path.extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix;
}

/// 8 bytes of length, then a JSON object. A broken file of that name is sent there too: its messages fit better.
bool isSafetensors(const fs::path& path)
{
    const std::vector<uint8_t> bytes = firstBytes(path, 9);
    return (bytes.size() == 9 && bytes[8] == '{' && bytes[7] == 0 && bytes[6] == 0)
           || suffixOf(path) == ".safetensors";
}

/// A build without images still lists those that it finds, as unreadable.
bool beginsLikeAnImage(const fs::path& path)
{
#ifdef ATTNSCOPE_MEDIA
    const std::vector<uint8_t> start = firstBytes(path, 32);
    return sniffImage(start).has_value() || !unreadImageFormat(start).empty();
#else
    (void)path;
    return false;
#endif
}

/// In a folder: what is an image by its first bytes or at least says so by its name, so that a broken one is not
/// passed over.
bool maybeImage(const fs::path& path)
{
    constexpr std::array<const char*, 10> suffixes{".jpg", ".jpeg", ".png", ".webp", ".bmp",
                                                   ".tif", ".tiff", ".ppm", ".pgm",  ".pbm"};
    return std::ranges::find(suffixes, suffixOf(path)) != suffixes.end() || beginsLikeAnImage(path);
}

/// By its first bytes; a folder by its names. A build without videos finds none.
bool beginsLikeAVideo(const std::string& path)
{
#ifdef ATTNSCOPE_MEDIA
    return looksLikeVideo(path);
#else
    (void)path;
    return false;
#endif
}

/// By its first bytes, or at least by its name, so that a broken one is not passed over.
bool maybeVideo(const std::string& path)
{
    constexpr std::array<const char*, 16> suffixes{".mp4", ".m4v", ".mov",  ".mkv", ".webm", ".avi",
                                                   ".gif", ".mpg", ".mpeg", ".ts",  ".mts",  ".flv",
                                                   ".wmv", ".3gp", ".ogv",  ".y4m"};
    return std::ranges::find(suffixes, suffixOf(path)) != suffixes.end() || beginsLikeAVideo(path);
}

InputSource failing(const std::string& path, FileError error)
{
    return {path, "image", [problem = std::make_exception_ptr(std::move(error))]() -> Loaded {
                std::rethrow_exception(problem);
            }};
}

InputSource image(const std::string& path, const ImageReader& read)
{
    return {path, "image", [path, read]() -> Loaded { return read(path); }};
}

InputSource video(const std::string& path, const InputReaders& readers)
{
    InputSource source{path, "video", [path, open = readers.video]() -> Loaded { return open(path); }};
    if (readers.otherVideo)
        source.views = [path, open = readers.otherVideo](const Classifier& network) {
            return open(path, network);
        };
    return source;
}

FloatArray loadArray(const StoredTensor& tensor, const std::string& path)
{
    FloatArray array{tensor.shape, tensor.readFloat()};
    if (!std::ranges::all_of(array.values, [](float value) { return std::isfinite(value); }))
        throw FileError(path, "`input` contains values that are not finite",
                        "a preprocessed image must contain only finite values");
    return array;
}

InputSource element(const StoredTensor& whole, int64_t index, bool batched, const std::string& path,
                    const char* kind)
{
    StoredTensor part = whole;
    if (batched) {
        part.firstElement += index * whole.strides.front();
        part.shape.erase(part.shape.begin());
        part.strides.erase(part.strides.begin());
    }
    const bool several = batched && whole.shape.front() > 1;
    const std::string name = several ? path + "[" + std::to_string(index) + "]" : path;
    return {name, kind, [part, name]() -> Loaded { return loadArray(part, name); }};
}

void checkArray(const StoredTensor& tensor, const std::string& path, size_t elementRank)
{
    if (tensor.type != ElementType::Float32)
        throw FileError(path, std::string("`input` is ") + toText(tensor.type), "it must be float32");
    const size_t rank = tensor.shape.size();
    if (rank != elementRank && rank != elementRank + 1)
        throw FileError(path, "`input` has " + std::to_string(rank) + " dimensions",
                        elementRank == 3 ? "this model takes (C,H,W) or (B,C,H,W)"
                                         : "this model takes (C,T,H,W) or (B,C,T,H,W)");
    if (tensor.elements() == 0)
        throw FileError(path, "`input` is empty");
}

void addArrays(const std::string& path, const InputOptions& options, size_t elementRank,
               std::vector<InputSource>& sources)
{
    try {
        const StateDict file = readSafetensors(openFile(path), options.limits);
        const auto found = file.tensors.find("input");
        if (found == file.tensors.end())
            throw FileError(path, "it has no tensor `input`", "provide preprocessed images under that name");
        const StoredTensor& tensor = found->second;
        checkArray(tensor, path, elementRank);
        const bool batched = tensor.shape.size() == elementRank + 1;
        const char* kind = elementRank == 3 ? "image" : "video";
        for (int64_t b = 0; b < (batched ? tensor.shape.front() : 1); ++b)
            sources.push_back(element(tensor, b, batched, path, kind));
    } catch (const FileError& error) {
        sources.push_back(failing(path, error));
    }
}

using Wanted = std::function<bool(const std::string& path)>;

/// What lies directly in a folder, but for hidden files.
struct FolderContents {
    std::vector<std::string> wanted, folders;   // sorted
    std::map<std::string, int64_t> otherKinds;  // files by suffix
};

FolderContents contentsOf(const std::string& path, const Wanted& wanted)
{
    FolderContents contents;
    std::error_code error;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        const std::string name = entry->path().string();
        if (entry->is_regular_file(ignored) && wanted(name))
            contents.wanted.push_back(name);
        else if (entry->path().filename().string().front() == '.')
            continue;
        else if (entry->is_directory(ignored))
            contents.folders.push_back(name);
        else
            ++contents.otherKinds[suffixOf(entry->path())];
    }
    if (error)
        throw FileError(path, "the folder cannot be read (" + error.message() + ")");
    std::ranges::sort(contents.wanted);
    std::ranges::sort(contents.folders);
    return contents;
}

/// "3 files of other kinds (2 .txt and 1 .avif) and 1 folder"; empty where everything was wanted.
std::string othersIn(const FolderContents& contents)
{
    std::vector<std::string> kinds, others;
    int64_t files = 0;
    for (const auto& [suffix, count] : contents.otherKinds) {
        files += count;
        kinds.push_back(std::to_string(count) + " "
                        + (suffix.empty() ? "without an extension" : printable(suffix)));
    }
    constexpr size_t named = 5;
    if (kinds.size() > named) {
        kinds.resize(named);
        kinds.emplace_back("more");
    }
    if (files > 0)
        others.push_back(counted(files, "file") + " of other kinds (" + joinWords(kinds, "and") + ")");
    if (!contents.folders.empty())
        others.push_back(counted(std::ssize(contents.folders), "folder"));
    return joinWords(others, "and");
}

/// The files directly in a folder that `wanted` takes, sorted; what else lies there is said. Throws FileError where there is none:
/// `nothing` says of what, `remedy` what would be right.
std::vector<std::string> filesIn(const std::string& path, const Wanted& wanted, const std::string& nothing,
                                 const std::string& remedy)
{
    FolderContents contents = contentsOf(path, wanted);
    const std::string others = othersIn(contents);
    if (!contents.wanted.empty()) {
        if (!others.empty())
            writeMessage(printable(path) + ": " + counted(std::ssize(contents.wanted), "file")
                         + "; skipped: " + others + ".");
        return std::move(contents.wanted);
    }
    const bool hasClassFolders = std::ranges::any_of(contents.folders, [&](const std::string& folder) {
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
            std::error_code ignored;
            if (entry->is_regular_file(ignored) && wanted(entry->path().string()))
                return true;
        }
        return false;
    });
    if (hasClassFolders)
        throw FileError(
            path, nothing + ", but subfolders that do",
            "use `attnscope-cli evaluate` for class folders; for this command, give the inner folders");
    throw FileError(path, nothing + (others.empty() ? "" : ", only " + others), remedy);
}

/// For models of videos: a folder of numbered frames is a video; in others lie videos.
void addVideoFolder(const std::string& path, const InputReaders& readers, std::vector<InputSource>& sources)
{
    if (beginsLikeAVideo(path)) {
        sources.push_back(video(path, readers));
        return;
    }
    const auto isVideo = [](const std::string& name) { return maybeVideo(name) && !beginsLikeAnImage(name); };
    for (const std::string& name :
         filesIn(path, isVideo, "the folder contains neither videos nor numbered frames",
                 "give a folder with videos or with frame_0001.jpg, frame_0002.jpg … directly in it"))
        sources.push_back(video(name, readers));
}

void addImageFolder(const std::string& path, const InputReaders& readers, std::vector<InputSource>& sources)
{
    const auto isImageOrVideo = [](const std::string& name) { return maybeImage(name) || maybeVideo(name); };
    for (const std::string& name : filesIn(path, isImageOrVideo, "the folder contains no images",
                                           "give a folder with images or videos directly in it"))
        sources.push_back(maybeImage(name) ? image(name, readers.image) : video(name, readers));
}

void addFolder(const std::string& path, const InputReaders& readers, size_t elementRank,
               std::vector<InputSource>& sources)
{
    try {
        (elementRank == 3 ? addImageFolder : addVideoFolder)(path, readers, sources);
    } catch (const FileError& error) {
        sources.push_back(failing(path, error));
    }
}

/// What is neither by its content nor by its name is told off by the reader of what the model takes.
InputSource file(const std::string& path, const InputReaders& readers, size_t elementRank)
{
    const bool isImage = beginsLikeAnImage(path);
    const bool isVideo = !isImage && (maybeVideo(path) || (elementRank == 4 && !maybeImage(path)));
    return isVideo ? video(path, readers) : image(path, readers.image);
}

#ifdef ATTNSCOPE_MEDIA
bool isImages(const std::string& path)
{
    std::error_code error;
    return fs::is_directory(path, error) || (fs::exists(path, error) && !isSafetensors(path) && !maybeVideo(path));
}

/// Started at once where an image was named: a decoder that cannot be started ends the command, not each image.
ImageReader processReader(const InputOptions& inputs, const ImageReadOptions& options)
{
    const auto decoder = std::make_shared<DecoderProcess>();
    if (std::ranges::any_of(inputs.paths, isImages))
        decoder->start(options.limits);
    return [options, decoder](const std::string& path) { return decoder->read(path, options); };
}
#endif

#ifndef ATTNSCOPE_MEDIA
/// `what`: "image" or "video".
[[noreturn]] void refuseMedia(const std::string& path, const std::string& what)
{
    std::error_code error;
    if (!fs::exists(path, error))
        throw FileError(path, "file not found");
    throw FileError(
        path, "this build has no " + what + " decoder",
        "build with -DATTNSCOPE_MEDIA=ON, or give a safetensors file with a preprocessed tensor `input`");
}
#endif

}

ReadingOptions readingOf(const ReadingOptions& reading, const VideoOptions& video)
{
    ReadingOptions all = reading;
    if (video.sampling != "auto")
        all.sampling = video.sampling == "ssv2" ? SamplingRule::Segments : SamplingRule::Published;
    return all;
}

std::optional<ViewGrid> gridOf(const VideoOptions& video)
{
    return video.views.empty() ? std::nullopt : std::optional(ViewGrid::parse(video.views));
}

ViewRequest viewRequest(const InputOptions& options, ViewGrid usual, const ModelSummary& model,
                        const Transform& transform)
{
    const VideoOptions& video = options.video;
    ViewRequest request = viewRequestOf(model, transform);
    applyReading(readingOf(options.reading, video), SamplingRule::Published, gridOf(video), usual, request);
    request.start = video.start;
    if (video.duration > 0)
        request.duration = video.duration;
    return request;
}

VideoOpener videoOpener(const InputOptions& options, const ViewRequest& request, std::stop_token stop)
{
#ifdef ATTNSCOPE_MEDIA
    VideoReadOptions reading;
    reading.limits = options.limits;
    reading.anyFormat = options.video.anyFormat;
    reading.isolated = !options.isInline;
    return [=](const std::string& path) { return openVideoViews(path, reading, request, stop); };
#else
    (void)options, (void)request, (void)stop;
    return [](const std::string& path) -> VideoViews { refuseMedia(path, "video"); };
#endif
}

ImageReader imageReader(const InputOptions& options)
{
#ifdef ATTNSCOPE_MEDIA
    ImageReadOptions reading;
    reading.orientation = Orientation(options.reading.orientation);
    reading.limits = options.limits;
    if (options.isInline)
        return [reading](const std::string& path) { return readImage(path, reading); };
    return processReader(options, reading);
#else
    (void)options;
    return [](const std::string& path) -> Clip { refuseMedia(path, "image"); };
#endif
}

std::vector<InputSource> inputSources(const InputOptions& options, const InputReaders& readers, size_t elementRank)
{
    std::vector<InputSource> sources;
    for (const std::string& path : options.paths) {
        std::error_code error;
        if (fs::is_directory(path, error))
            addFolder(path, readers, elementRank, sources);
        else if (isSafetensors(path))
            addArrays(path, options, elementRank, sources);
        else
            sources.push_back(file(path, readers, elementRank));
    }
    return sources;
}

}

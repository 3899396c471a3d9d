#include "core/data/dataset/file_kind.h"

#include "core/base/first_bytes.h"
#include "core/media/container/video_validator.h"
#include "core/media/format/image_validator.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <sys/stat.h>

namespace attnscope {

namespace {

/// Formats that cannot be read are among them: such a file is a sample, and unreadable.
constexpr std::array<std::string_view, 21> imageSuffixes{"jpg",  "jpeg", "jpe",  "jfif", "png", "ppm",  "pgm",
                                                         "pbm",  "pnm",  "pfm",  "bmp",  "tif", "tiff", "webp",
                                                         "avif", "heic", "heif", "jp2",  "j2k", "jxl",  "dcm"};
constexpr std::array<std::string_view, 19> videoSuffixes{"mp4",  "mkv", "webm", "avi",  "mov", "m4v", "mpg",
                                                         "mpeg", "ts",  "mts",  "m2ts", "vob", "wmv", "asf",
                                                         "flv",  "3gp", "ogv",  "ogg",  "gif"};
/// What file systems, network storage and desktops leave in folders, besides hidden names.
constexpr std::array<std::string_view, 10> systemNames{
    "@eaDir",       "#recycle", "#snapshot", "__MACOSX",    "lost+found",
    "$RECYCLE.BIN", "RECYCLER", "Thumbs.db", "desktop.ini", "System Volume Information"};

bool isIn(const auto& names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

std::string lowerSuffix(const std::filesystem::path& path)
{
    const std::string name = path.filename().string();
    const size_t dot = name.rfind('.');
    std::string suffix = dot == std::string::npos ? std::string() : name.substr(dot + 1);
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    return suffix;
}

}

FileKind kindBySuffix(const std::filesystem::path& path)
{
    const std::string suffix = lowerSuffix(path);
    return isIn(imageSuffixes, suffix)   ? FileKind::Image
           : isIn(videoSuffixes, suffix) ? FileKind::Video
                                         : FileKind::Other;
}

FileKind kindOf(const std::filesystem::path& path)
{
    if (const FileKind kind = kindBySuffix(path); kind != FileKind::Other)
        return kind;
    const std::vector<uint8_t> start = firstBytes(path, videoSignatureBytes);
    return sniffImage(start) || !unreadImageFormat(start).empty() ? FileKind::Image
           : sniffVideo(start)                                    ? FileKind::Video
                                                                  : FileKind::Other;
}

std::string_view archiveFormat(const std::filesystem::path& path)
{
    using namespace std::string_view_literals;
    struct Signature {
        size_t at;
        std::string_view bytes, title;
    };
    constexpr std::array<Signature, 9> signatures{{{257, "ustar"sv, "a tar archive"},
                                                   {0, "\x1f\x8b"sv, "a gzip archive"},
                                                   {0, "PK\3\4"sv, "a zip archive"},
                                                   {0, "PAR1"sv, "a Parquet table"},
                                                   {0, "ARROW1"sv, "an Arrow table"},
                                                   {0,
                                                    "\xfd"
                                                    "7zXZ"sv,
                                                    "an xz archive"},
                                                   {0, "(\xb5/\xfd"sv, "a Zstandard archive"},
                                                   {0, "7z\xbc\xaf"sv, "a 7-Zip archive"},
                                                   {0, "Rar!"sv, "a RAR archive"}}};
    const std::vector<uint8_t> start = firstBytes(path, 512);
    const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
    for (const Signature& signature : signatures)
        if (text.size() > signature.at && text.substr(signature.at).starts_with(signature.bytes))
            return signature.title;
    return {};
}

std::optional<FileIdentity> identityOf(const std::filesystem::path& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

bool isFolder(const std::filesystem::path& path)
{
    std::error_code problem;
    return std::filesystem::is_directory(path, problem);
}

bool isFile(const std::filesystem::path& path)
{
    std::error_code problem;
    return std::filesystem::is_regular_file(path, problem);
}

std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path& folder,
                                                        std::error_code* problem,
                                                        std::vector<std::filesystem::path>* system)
{
    std::vector<std::filesystem::directory_entry> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with('.') && !isIn(systemNames, name))
            entries.push_back(*entry);
        else if (system)
            system->push_back(entry->path());
    }
    std::ranges::sort(entries);
    if (problem)
        *problem = error;
    return entries;
}

bool hasFolders(const std::filesystem::path& folder)
{
    const auto entries = entriesOf(folder);
    std::error_code unknown;
    return std::ranges::any_of(entries, [&](const auto& entry) { return entry.is_directory(unknown); });
}

}

#include "core/data/dataset/file_kind.h"

#include "core/archive/open_archive.h"
#include "core/base/fast_checksum.h"
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
    const auto packed = findPacked(path);
    const std::vector<uint8_t> start = packed && packed->entry ? packed->archive->archive->read(*packed->entry)
                                                               : firstBytes(path, videoSignatureBytes);
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
    constexpr std::array<Signature, 10> signatures{{{257, "ustar"sv, "a tar archive"},
                                                    {0, "\x1f\x8b"sv, "a gzip archive"},
                                                    {0, "PK\3\4"sv, "a zip archive"},
                                                    {0, "PAR1"sv, "a Parquet table"},
                                                    {0, "ARROW1"sv, "an Arrow table"},
                                                    {0, "BZh"sv, "a bzip2 archive"},
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

bool isSystemName(std::string_view name)
{
    return name.starts_with('.') || isIn(systemNames, name);
}

std::optional<FileIdentity> identityOf(const std::filesystem::path& path)
{
    struct stat status = {};
    const std::filesystem::path archive = archiveOf(path);
    if (::stat((archive.empty() ? path : archive).c_str(), &status) != 0)
        return std::nullopt;
    if (archive.empty())
        return FileIdentity{status.st_dev, status.st_ino};
    const std::string inside = path.lexically_normal().string().substr(archive.string().size());
    return FileIdentity{
        status.st_dev,
        fastChecksum({reinterpret_cast<const uint8_t*>(inside.data()), inside.size()}, status.st_ino)};
}

bool isFolder(const std::filesystem::path& path)
{
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem))
        return true;
    const auto packed = findPacked(path);
    if (!packed)
        return false;
    const size_t at = packed->archive->lowerBound(packed->name + "/");
    return at < packed->archive->byName.size() && packed->archive->name(at).starts_with(packed->name + "/");
}

bool isFile(const std::filesystem::path& path)
{
    std::error_code problem;
    if (std::filesystem::is_regular_file(path, problem))
        return true;
    const auto packed = findPacked(path);
    return packed && packed->entry;
}

namespace {

/// The next parts of all names in an archive that begin with `folder` and a slash.
std::vector<FolderEntry> packedEntries(const std::filesystem::path& place, const OpenedArchive& archive,
                                       const std::string& folder)
{
    std::vector<FolderEntry> entries;
    const std::string prefix = folder.empty() ? folder : folder + "/";
    for (size_t at = archive.lowerBound(prefix); at < archive.byName.size();) {
        const std::string& name = archive.name(at);
        if (!name.starts_with(prefix))
            break;
        const size_t slash = name.find('/', prefix.size());
        const std::string part = name.substr(prefix.size(), slash - prefix.size());
        entries.push_back(
            {place / part, slash == name.npos ? FolderEntry::Kind::File : FolderEntry::Kind::Folder});
        // '0' follows the slash: the first name that is not in this folder.
        at = slash == name.npos ? at + 1 : archive.lowerBound(name.substr(0, slash) + '0');
    }
    return entries;
}

std::vector<FolderEntry> folderEntries(const std::filesystem::path& folder, std::error_code& error)
{
    using Kind = FolderEntry::Kind;
    std::vector<FolderEntry> entries;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        const bool isLink = entry->is_symlink(unknown);
        const Kind kind = entry->is_directory(unknown)      ? Kind::Folder
                          : entry->is_regular_file(unknown) ? Kind::File
                          // A link to itself is not broken, but of no kind.
                          : isLink && entry->status(unknown).type() == std::filesystem::file_type::not_found
                              ? Kind::BrokenLink
                              : Kind::Other;
        entries.push_back({entry->path(), kind, isLink});
    }
    return entries;
}

}

std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder, std::error_code* problem,
                                   std::vector<std::filesystem::path>* system)
{
    std::error_code error;
    std::vector<FolderEntry> entries;
    if (const auto packed = findPacked(folder))
        entries = packedEntries(folder, *packed->archive, packed->name);
    else if (isArchive(folder))
        entries = packedEntries(folder, *openArchive(folder), {});
    else
        entries = folderEntries(folder, error);
    std::erase_if(entries, [&](const FolderEntry& entry) {
        const bool isSystem = isSystemName(entry.path.filename().string());
        if (isSystem && system)
            system->push_back(entry.path);
        return isSystem;
    });
    std::ranges::sort(entries, {}, &FolderEntry::path);
    if (problem)
        *problem = error;
    return entries;
}

bool hasFolders(const std::filesystem::path& folder)
{
    return std::ranges::any_of(entriesOf(folder),
                               [](const FolderEntry& entry) { return entry.kind == FolderEntry::Kind::Folder; });
}

}

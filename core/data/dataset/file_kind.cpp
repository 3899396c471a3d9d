// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/file_kind.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <sys/stat.h>

namespace attnscope {

namespace {

constexpr std::array<std::string_view, 9> imageSuffixes{"jpg", "jpeg", "png",  "ppm", "bmp",
                                                          "pgm", "tif",  "tiff", "webp"};
constexpr std::array<std::string_view, 15> videoSuffixes{"mp4", "mkv", "webm", "avi", "mov", "m4v", "mpg", "mpeg",
                                                         "ts",  "mts", "wmv",  "flv", "3gp", "ogv", "gif"};

std::string lowerSuffix(const std::filesystem::path& path)
{
    const std::string name = path.filename().string();
    const std::size_t dot = name.rfind('.');
    std::string suffix = dot == std::string::npos ? std::string() : name.substr(dot + 1);
    for (char& c : suffix)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return suffix;
}

}  // namespace

FileKind kindBySuffix(const std::filesystem::path& path)
{
    const std::string suffix = lowerSuffix(path);
    const auto isIn = [&](const auto& known) { return std::find(known.begin(), known.end(), suffix) != known.end(); };
    return isIn(imageSuffixes) ? FileKind::Image : isIn(videoSuffixes) ? FileKind::Video : FileKind::Other;
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

std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path& folder, std::error_code* problem)
{
    std::vector<std::filesystem::directory_entry> entries;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (!entry->path().filename().string().starts_with('.'))
            entries.push_back(*entry);
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

}  // namespace attnscope

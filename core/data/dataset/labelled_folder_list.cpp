#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largestList = std::uintmax_t{1} << 30;
constexpr int64_t maxListedClasses = 1'000'000;

using Line = ListedSample;

int64_t labelNumber(const std::string& file, const Line& line)
{
    const auto number = parseNumber<int64_t>(line.label, 0, maxListedClasses - 1);
    if (!number)
        throw FileError(file, fmt::format("line {}: label {} is too large", line.line, printable(line.label)),
                        "labels are numbers from 0 to 999999, or names");
    return *number;
}

/// Labels of all lines; sets the classes that they index.
std::vector<int64_t> labelsOf(LabelledSet& set, const std::vector<Line>& lines)
{
    const bool numbers = isDigits(lines.front().label);
    for (const Line& line : lines)
        if (isDigits(line.label) != numbers)
            throw FileError(set.root,
                            fmt::format("line {}: label {} is {} number, unlike the labels before it", line.line,
                                        printable(line.label), numbers ? "not a" : "a"),
                            "labels are all numbers or all names; a heading calls their column `label` and that "
                            "of files `path`");
    std::vector<std::string> names;
    for (const Line& line : lines)
        names.push_back(line.label);
    if (!numbers)
        set.classes = sortedClasses(names);
    std::vector<int64_t> labels;
    for (const Line& line : lines)
        labels.push_back(numbers ? labelNumber(set.root, line) : indexIn(set.classes, line.label));
    if (numbers)
        set.classes = numberedClasses(*std::ranges::max_element(labels) + 1);
    return labels;
}

bool leadsOut(const fs::path& folder, const fs::path& path)
{
    const fs::path relative = path.lexically_relative(folder);
    return relative.empty() || *relative.begin() == "..";
}

bool hasMoreVideos(const std::vector<Line>& lines)
{
    ptrdiff_t lead = 0;
    for (const Line& line : lines) {
        const FileKind kind = kindBySuffix(line.path);
        lead += kind == FileKind::Video ? 1 : kind == FileKind::Image ? -1 : 0;
    }
    return lead > 0;
}

/// The listed file. A path without a suffix may lack that of an image or a video (ImageId of Kaggle's tables).
fs::path listedFile(const fs::path& folder, const std::string& listed)
{
    fs::path path = (folder / listed).lexically_normal();
    std::error_code problem;
    if (listed.find('\\') != std::string::npos && !fs::exists(fs::symlink_status(path, problem))) {
        std::string slashed = listed;  // written on Windows
        std::ranges::replace(slashed, '\\', '/');
        return listedFile(folder, slashed);
    }
    if (path.has_extension() || fs::exists(fs::symlink_status(path, problem)))
        return path;
    for (const char* suffix : {".JPEG", ".jpg", ".jpeg", ".png", ".mp4", ".webm"})
        if (const fs::path whole = path.string() + suffix; isFile(whole))
            return whole;
    return path;
}

/// None of the files of a list exists: where its columns are others, that is why.
[[noreturn]] void refuseWithoutFiles(const std::string& file, const fs::path& folder,
                                     const std::vector<Line>& lines, bool isOther)
{
    const Line& first = lines.front();
    const std::string problem = lines.size() == 1
                                    ? fmt::format("its only file, {}, does not exist", printable(first.path))
                                    : fmt::format("none of its {} files exists; the first is {}", lines.size(),
                                                  printable(first.path));
    const size_t blank = first.path.find_last_of(' ');
    if (isFile(listedFile(folder, first.label)))
        throw FileError(
            file, problem,
            "its labels are files: a line is `path label`, in this order, or a heading names the columns");
    if (blank != std::string::npos && isFile(listedFile(folder, first.path.substr(0, blank))))
        throw FileError(
            file, problem,
            "its lines have three fields: a line is `path label`, or a heading names the columns of CSV or TSV");
    throw FileError(file, problem,
                    isOther ? "paths are relative to " + printable(folder.string())
                            : "paths are relative to the folder of the list");
}

/// Images or videos directly in the folder that a list leaves out.
void keepUnlisted(LabelledSet& set, const fs::path& folder)
{
    std::set<fs::path> listed;
    for (const LabelledFile& file : set.files)
        listed.insert(file.path);
    LeftOut unlisted;
    for (const fs::path& path : entriesOf(folder))
        if (isFile(path) && kindOf(path) == (set.video ? FileKind::Video : FileKind::Image)
            && !listed.contains(path))
            unlisted.add(path.string());
    keepIssue(set, "no_label", unlisted, "file has no label there and is skipped",
              "files have no label there and are skipped");
}

}

std::string readListFile(const std::string& file)
{
    std::error_code problem;
    if (!isFile(file))
        throw FileError(file, "is not a regular file", "give a text file of lines `path label`");
    if (const auto packed = findPacked(file)) {
        if (packed->archive->archive->entries()[*packed->entry].bytes > int64_t(largestList))
            throw FileError(file, "is too large for a list", "a list has at most 1 GiB");
        const std::vector<uint8_t> bytes = packed->archive->archive->read(*packed->entry);
        return {bytes.begin(), bytes.end()};
    }
    if (const std::string_view archive = archiveFormat(file); !archive.empty())
        throw FileError(file, fmt::format("is {}", archive), "unpack it, and give the folder");
    const std::uintmax_t size = fs::file_size(file, problem);
    if (problem || size > largestList)
        throw FileError(file, "is too large for a list", "a list has at most 1 GiB");
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw FileError(file, "cannot be opened for reading");
    std::string text(static_cast<size_t>(size), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(size));
    if (stream.gcount() != static_cast<std::streamsize>(size))
        throw FileError(file, "could not be read to the end");
    return text;
}

LabelledSet readLabelList(const std::string& file, SetPurpose purpose, const std::string& root)
{
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    std::vector<Line> lines = parseLabelList(readListFile(file), file);
    if (lines.empty())
        throw FileError(file, "has no lines", "a line is `path label`");
    keepSplit(set, lines, purpose, [](const Line& line) { return line.path; });
    const std::vector<int64_t> labels = labelsOf(set, lines);
    set.video = hasMoreVideos(lines);
    const FileKind other = set.video ? FileKind::Image : FileKind::Video;
    const fs::path folder = root.empty() ? fs::absolute(file).parent_path().lexically_normal()
                                         : (fs::absolute(root) / "x").lexically_normal().parent_path();
    LeftOut missing, irregular, otherKind, outside;
    for (size_t i = 0; i < lines.size(); ++i) {
        const fs::path path = listedFile(folder, lines[i].path);
        std::error_code problem;
        const fs::file_status status = fs::status(path, problem);
        const bool broken = !fs::exists(status) && fs::is_symlink(fs::symlink_status(path, problem));
        const bool found = isFile(path);
        if (!fs::exists(status) && !broken && !found) {
            missing.add(lines[i].path);
        } else if (!found && !broken) {
            irregular.add(lines[i].path);
        } else if (kindBySuffix(path) == other) {
            otherKind.add(lines[i].path);
        } else {
            if (leadsOut(folder, path))
                outside.add(lines[i].path);
            set.files.push_back({path.string(), labels[i]});
        }
    }
    if (set.files.empty())
        refuseWithoutFiles(file, folder, lines, !root.empty());
    keepIssue(set, "missing", missing, "file does not exist and is skipped", "files do not exist and are skipped");
    keepIssue(set, "not_a_file", irregular, "entry is not a regular file and is skipped",
              "entries are not regular files and are skipped");
    keepIssue(set, "other_kind", otherKind,
              set.video ? "image in a list of videos is skipped" : "video in a list of images is skipped",
              set.video ? "images in a list of videos are skipped" : "videos in a list of images are skipped");
    keepRepeated(set);
    if (outside.count > 0)
        set.notes.push_back(
            fmt::format("{} outside the list's folder: {}",
                        outside.count == 1 ? "1 file is" : fmt::format("{} files are", outside.count),
                        firstOf(outside.names, 3)));
    if (!root.empty()) {
        set.root = root;
        set.layout = set.video ? FolderLayout::Kinetics : FolderLayout::ImageNet;
        set.numbered = isDigits(lines.front().label);
        set.notes.push_back("labels are from " + printable(file));
        keepUnlisted(set, folder);
    }
    return set;
}

}

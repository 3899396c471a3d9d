#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

using Archives = std::vector<std::shared_ptr<const OpenedArchive>>;

constexpr int64_t maximumClasses = 1'000'000;
constexpr int64_t maximumShards = 1'000'000;

/// "train-000.tar", "train-001.tar" … of "train-{000..099}.tar"; empty for what is no pattern.
std::vector<std::string> shardsOf(const std::string& place)
{
    const size_t open = place.rfind('{'), dots = place.find("..", open), close = place.find('}', open);
    if (open == place.npos || dots == place.npos || close == place.npos || dots > close)
        return {};
    const std::string from = place.substr(open + 1, dots - open - 1),
                      to = place.substr(dots + 2, close - dots - 2);
    const auto first = parseNumber<int64_t>(from), last = parseNumber<int64_t>(to);
    if (!isDigits(from) || !isDigits(to) || !first || !last || *last < *first || *last - *first >= maximumShards)
        throw FileError(place, "its braces are not two numbers in order", "write them like train-{000..099}.tar");
    std::vector<std::string> shards;
    for (int64_t number = *first; number <= *last; ++number)
        shards.push_back(
            fmt::format("{}{:0{}}{}", place.substr(0, open), number, from.size(), place.substr(close + 1)));
    return shards;
}

/// The word of a shard's name that says its split: "validation" of imagenet1k-validation-07.tar.
std::string splitOf(const std::string& archive)
{
    std::string name = archiveStem(archive);
    for (char& c : name)
        c = c == '_' || c == '.' ? '-' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    for (const std::string_view word : split(name, '-'))
        if (isSplitName(word))
            return std::string(word);
    return {};
}

/// Whether a name ends with a number of four digits or more, as those of shards do and classes do not: "x-000012".
bool isShard(const std::string& archive)
{
    const std::string name = archiveStem(archive);
    const size_t at = name.find_last_of("-_");
    return at != name.npos && name.size() - at > 4 && isDigits(std::string_view(name).substr(at + 1));
}

/// Lists what was not listed before, on several threads. Throws what the first of them throws.
Archives openAll(const std::vector<std::string>& paths)
{
    Archives archives(paths.size());
    std::vector<std::exception_ptr> failures(paths.size());
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < paths.size(); i = next++) {
            try {
                archives[i] = openArchive(paths[i]);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (size_t i = 1; i < std::min<size_t>(paths.size(), std::max(1U, std::thread::hardware_concurrency()));
             ++i)
            threads.emplace_back(work);
        work();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
    return archives;
}

bool hasLabels(const Archives& archives)
{
    return std::ranges::any_of(archives, [](const auto& opened) {
        return std::ranges::any_of(opened->archive->entries(),
                                   [](const PackedEntry& entry) { return !entry.label.empty(); });
    });
}

/// Turns labels into numbers of the set's classes.
void setLabels(LabelledSet& set, const std::vector<std::string>& labels, const std::vector<std::string>& names)
{
    const auto count = std::ranges::count_if(labels, isDigits);
    if (count > 0 && count < std::ssize(labels))
        throw FileError(set.root, "some of its labels are numbers and others are names",
                        "write all in the same way");
    set.numbered = count > 0;
    if (count == 0)
        set.classes = sortedClasses(labels);
    int64_t last = -1;
    for (size_t i = 0; i < labels.size(); ++i) {
        const int64_t limit = names.empty() ? maximumClasses : std::ssize(names);
        const auto number = count == 0 ? indexIn(set.classes, labels[i])
                                       : parseNumber<int64_t>(labels[i], 0, limit - 1).value_or(-1);
        if (number < 0)
            throw FileError(set.files[i].path,
                            fmt::format("its label {} is no number below {}", printable(labels[i]), limit));
        set.files[i].label = number;
        last = std::max(last, number);
    }
    if (count > 0)
        set.classes = names.empty() ? numberedClasses(last + 1) : names;
}

LabelledSet labelledSet(const std::string& place, const std::vector<std::string>& paths, const Archives& archives)
{
    LabelledSet set;
    set.root = place;
    // The names of a pattern's files are relative to their folder, like those of a list.
    set.layout = isFolder(place) || isFile(place) ? FolderLayout::ImageNet : FolderLayout::List;
    std::vector<std::string> labels;
    LeftOut unlabelled, unknown, videos, system;
    const std::vector<std::string>& names = archives.front()->archive->classNames();
    for (size_t i = 0; i < archives.size(); ++i) {
        if (archives[i]->archive->classNames() != names)
            throw FileError(paths[i], "its classes are others than those of " + printable(paths.front()),
                            "give files of one data set");
        for (const PackedEntry& entry : archives[i]->archive->entries()) {
            std::string path = paths[i] + "/" + entry.name;
            const FileKind kind = kindBySuffix(entry.name);
            LeftOut* const reason = std::ranges::any_of(split(entry.name, '/'), isSystemName) ? &system
                                    : kind == FileKind::Video                                 ? &videos
                                    : kind == FileKind::Other                                 ? &unknown
                                    : entry.label.empty()                                     ? &unlabelled
                                                                                              : nullptr;
            if (reason != nullptr) {
                reason->add(path);
                continue;
            }
            set.files.push_back({std::move(path), 0});
            labels.push_back(entry.label);
        }
    }
    if (set.files.empty())
        throw FileError(place, "none of its images has a label",
                        "a sample's label is in the .cls or .json file of the same name");
    setLabels(set, labels, names);
    keepIssue(set, "no_label", unlabelled, "image has no label and is skipped",
              "images have no label and are skipped");
    keepIssue(set, "unknown_kind", unknown, "file is no image and is passed over",
              "files are no images and are passed over");
    keepIssue(set, "other_kind", videos, "video is skipped: only images are read in archives",
              "videos are skipped: only images are read in archives");
    keepSystemNames(set, system);
    return set;
}

/// What the archives themselves contain and cannot be read.
void keepArchiveIssues(LabelledSet& set, const std::vector<std::string>& paths, const Archives& archives)
{
    std::map<std::string, LeftOut> found;
    for (size_t i = 0; i < archives.size(); ++i)
        for (const PackedIssue& issue : archives[i]->archive->issues())
            found[issue.kind].add(paths[i] + "/" + issue.name);
    keepIssue(set, "duplicate", found["duplicate"], "file is in its archive again, of which the last counts",
              "files are in their archive again, of which the last counts");
    keepIssue(set, "not_a_file", found["not_a_file"], "entry is not a regular file and is passed over",
              "entries are not regular files and are passed over");
}

/// The folder in an archive that holds all of it, as `tar c FOLDER` makes one, unless it is a class.
std::string unwrapped(std::string place)
{
    for (;;) {
        const std::vector<FolderEntry> entries = entriesOf(place);
        if (entries.size() != 1 || entries.front().kind != FolderEntry::Kind::Folder)
            return place;
        const std::string inner = entries.front().path.string();
        if (!hasFolders(inner) && !isFlatImageNet(inner))
            return place;
        place = inner;
    }
}

LabelledSet scanEachAsClass(const std::string& place, FolderLayout layout, const std::vector<std::string>& paths)
{
    for (const std::string& path : paths) {
        if (isShard(path))
            throw FileError(path, "its samples have no labels",
                            "a sample's label is in the .cls or .json file of the same name");
        if (std::ranges::count(entriesOf(path), FolderEntry::Kind::Folder, &FolderEntry::kind) > 1)
            throw FileError(path, "contains class folders, and is not alone in its folder", "give it alone");
    }
    return scanClassFolders(place, layout);
}

}

std::string archiveStem(const std::filesystem::path& path)
{
    std::string name = path.filename().string();
    if (isFolder(path))
        return name;
    for (const std::string_view suffix : {".gz", ".tgz", ".tar", ".zip", ".parquet"})
        if (name.ends_with(suffix) && name.size() > suffix.size())
            name.resize(name.size() - suffix.size());
    return name;
}

std::vector<std::string> archivesIn(const std::filesystem::path& folder)
{
    std::error_code problem;
    if (!fs::is_directory(folder, problem))
        return {};
    std::vector<std::string> files;
    for (const FolderEntry& entry : entriesOf(folder)) {
        if (entry.kind == FolderEntry::Kind::Folder || kindBySuffix(entry.path) != FileKind::Other)
            return {};
        if (entry.kind == FolderEntry::Kind::File)
            files.push_back(entry.path.string());
    }
    std::erase_if(files, [](const std::string& file) { return !isArchive(file); });
    return files;
}

LabelledSet scanArchives(const std::string& place, FolderLayout layout, SetPurpose purpose,
                         const std::function<LabelledSet(const std::string&)>& scan)
{
    std::error_code problem;
    const bool isOne = isArchive(place);
    std::vector<std::string> paths = isOne                        ? std::vector{place}
                                     : fs::exists(place, problem) ? archivesIn(place)
                                                                  : shardsOf(place);
    std::set<std::string> splits;
    for (const std::string& path : paths)
        splits.insert(splitOf(path));
    const std::string kept = splits.contains("") ? std::string() : splitFor(purpose, splits, place);
    LeftOut others;
    std::erase_if(paths, [&](const std::string& path) {
        const bool isOther = !kept.empty() && splitOf(path) != kept;
        if (isOther)
            others.add(path);
        return isOther;
    });
    if (paths.empty())
        return scan(place);
    if (layout == FolderLayout::Kinetics)
        throw FileError(place, "is an archive, in which only images are read", "unpack the videos");
    const Archives archives = openAll(paths);
    LabelledSet set = hasLabels(archives) ? labelledSet(place, paths, archives)
                      : paths.size() == 1 ? scan(unwrapped(paths.front()))
                                          : scanEachAsClass(place, layout, paths);
    if (set.video)
        throw FileError(place, "contains videos, and only images are read in archives", "unpack it");
    keepIssue(set, "other_split", others, "archive is of another split than `" + kept + "` and is skipped",
              "archives are of other splits than `" + kept + "` and are skipped");
    keepArchiveIssues(set, paths, archives);
    return set;
}

}

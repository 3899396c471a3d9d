// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/listed_videos.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/label_list.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Class folders in a split in a data set.
constexpr int deepest = 4;

fs::path folderOf(const std::string& file)
{
    return fs::absolute(file).lexically_normal().parent_path();
}

std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code problem;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem))
        if (!isHidden(entry->path()))
            entries.push_back(entry->path());
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// Videos below a folder by their names without suffix; of equal names the first in sorted order. Each folder is entered once.
class VideosBelow {
public:
    explicit VideosBelow(const fs::path& folder) { walk(folder, 0); }

    std::string find(const std::string& stem) const
    {
        const auto found = m_paths.find(stem);
        return found == m_paths.end() ? std::string() : found->second;
    }

private:
    void walk(const fs::path& folder, int depth)
    {
        const auto identity = identityOf(folder);
        if (!identity || !m_entered.insert(*identity).second)
            return;
        std::error_code unknown;
        for (const fs::path& path : entriesOf(folder)) {
            if (fs::is_directory(path, unknown)) {
                if (depth < deepest)
                    walk(path, depth + 1);
            } else if (kindBySuffix(path) == FileKind::Video && fs::is_regular_file(path, unknown)) {
                m_paths.emplace(path.stem().string(), path.string());
            }
        }
    }

    std::unordered_map<std::string, std::string> m_paths;
    std::set<FileIdentity> m_entered;
};

struct Missing {
    std::size_t count = 0;
    std::string first;
    void add(const std::string& name)
    {
        if (count++ == 0)
            first = name;
    }
};

void noteMissing(LabelledSet& set, const Missing& missing, std::size_t listed)
{
    if (set.files.empty())
        throw FileError(set.root,
                        fmt::format("none of its {} videos is in {} or its parent folder; the first is {}",
                                    listed, printable(folderOf(set.root).string()), printable(missing.first)),
                        "put the list next to the videos or to their folder");
    if (missing.count > 0)
        set.notes.push_back(fmt::format("{} of {} listed videos do not exist and are skipped; the first is {}",
                                        missing.count, listed, printable(missing.first)));
}

/// The sorted distinct names, as classes.
std::vector<std::string> sortedNames(const std::vector<std::string>& labels)
{
    const std::set<std::string> names(labels.begin(), labels.end());
    return {names.begin(), names.end()};
}

std::int64_t indexIn(const std::vector<std::string>& sorted, const std::string& name)
{
    return std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin();
}

void addClips(LabelledSet& set, const std::vector<KineticsClip>& clips, const fs::path& folder, Missing& missing)
{
    const VideosBelow videos(folder);
    for (const KineticsClip& clip : clips) {
        std::string path = videos.find(clip.stem());
        if (path.empty())
            path = videos.find(clip.id);
        if (path.empty())
            missing.add(clip.stem());
        else
            set.files.push_back({path, indexIn(set.classes, clip.label)});
    }
}

/// The other JSON file with "label" in its name.
std::string siblingLabels(const fs::path& split)
{
    for (const fs::path& path : entriesOf(split.parent_path()))
        if (path.extension() == ".json" && path != split
            && path.filename().string().find("label") != std::string::npos)
            return path.string();
    return {};
}

/// Where videos or frame folders of a split may be: in its folder, above it, and one folder below either.
std::vector<fs::path> placesFor(const fs::path& split)
{
    std::vector<fs::path> places;
    std::error_code unknown;
    for (const fs::path& top : {split.parent_path(), split.parent_path().parent_path()}) {
        places.push_back(top);
        for (const fs::path& path : entriesOf(top)) {
            const std::string name = path.filename().string();
            const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
            if (!number && fs::is_directory(path, unknown))
                places.push_back(path);
        }
    }
    return places;
}

std::string videoIn(const std::vector<fs::path>& places, const std::string& id)
{
    std::error_code unknown;
    for (const fs::path& place : places) {
        for (const char* suffix : {".webm", ".mp4"})
            if (const fs::path path = place / (id + suffix); fs::is_regular_file(path, unknown))
                return path.string();
        if (fs::is_directory(place / id, unknown))
            return (place / id).string();
    }
    return {};
}

std::vector<std::string> templatesOf(const std::vector<ListedSample>& samples)
{
    std::vector<std::string> names;
    for (const ListedSample& sample : samples)
        names.push_back(sample.label);
    return sortedNames(names);
}

}  // namespace

std::optional<LabelledSet> readKineticsList(const std::string& file)
{
    const std::string text = readListFile(file);
    const auto clips = parseKineticsAnnotation(text, file);
    if (!clips)
        return std::nullopt;
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    set.video = true;
    std::vector<std::string> labels;
    for (const KineticsClip& clip : *clips)
        labels.push_back(clip.label);
    set.classes = sortedNames(labels);
    Missing missing;
    addClips(set, *clips, folderOf(file), missing);
    if (set.files.empty()) {
        missing = {};
        addClips(set, *clips, folderOf(file).parent_path(), missing);
    }
    noteMissing(set, missing, clips->size());
    return set;
}

LabelledSet readSomethingSplit(const std::string& file)
{
    const std::vector<ListedSample> samples = parseSomethingSplit(readListFile(file), file);
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    set.video = true;
    const fs::path split = fs::absolute(file).lexically_normal();
    const std::string labels = siblingLabels(split);
    set.classes = labels.empty() ? templatesOf(samples) : parseSomethingLabels(readListFile(labels), labels);
    if (labels.empty())
        set.notes.emplace_back(
            "no JSON label file is next to the split, so its templates in sorted order are the classes");
    std::map<std::string, std::int64_t> numbers;
    for (std::size_t i = 0; i < set.classes.size(); ++i)
        numbers.emplace(set.classes[i], static_cast<std::int64_t>(i));
    const std::vector<fs::path> places = placesFor(split);
    Missing missing;
    for (const ListedSample& sample : samples) {
        const auto number = numbers.find(sample.label);
        if (number == numbers.end())
            throw FileError(file,
                            fmt::format("entry {}: `{}` is not a class of {}", sample.line, printable(sample.label),
                                        printable(labels)),
                            "both files must be from the same data set");
        const std::string path = videoIn(places, sample.path);
        if (path.empty())
            missing.add(sample.path);
        else
            set.files.push_back({path, number->second});
    }
    noteMissing(set, missing, samples.size());
    return set;
}

std::string videoListIn(const std::string& folder)
{
    std::string annotation;
    for (const fs::path& path : entriesOf(folder)) {
        const std::string name = path.filename().string();
        if (path.extension() == ".json" && name.find("validation") != std::string::npos)
            return path.string();
        const bool validation = name.find("val") != std::string::npos || name.find("test") != std::string::npos;
        if (path.extension() == ".csv" && validation && annotation.empty()) {
            // Only its header decides; lists of paths are read elsewhere.
            const std::string text = readListFile(path.string());
            const std::string heading = text.substr(0, text.find('\n'));
            if (heading.find("youtube_id") != std::string::npos)
                annotation = path.string();
        }
    }
    return annotation;
}

}  // namespace attnscope

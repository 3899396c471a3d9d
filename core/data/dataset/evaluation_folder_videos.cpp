// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Class folders in a split in a data set.
constexpr int deepest = 4;

fs::path folderOf(const std::string& file)
{
    return fs::absolute(file).lexically_normal().parent_path();
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
        for (const fs::path& path : entriesOf(folder)) {
            if (isFolder(path)) {
                if (depth < deepest)
                    walk(path, depth + 1);
            } else if (kindBySuffix(path) == FileKind::Video && isFile(path)) {
                m_paths.emplace(path.stem().string(), path.string());
            }
        }
    }

    std::unordered_map<std::string, std::string> m_paths;
    std::set<FileIdentity> m_entered;
};

void noteMissing(LabelledSet& set, const LeftOut& missing, std::size_t listed)
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

void addClips(LabelledSet& set, const std::vector<KineticsClip>& clips, const fs::path& folder, LeftOut& missing)
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
    for (const fs::path& top : {split.parent_path(), split.parent_path().parent_path()}) {
        places.push_back(top);
        for (const fs::path& path : entriesOf(top))
            if (!isDigits(path.filename().string()) && isFolder(path))
                places.push_back(path);
    }
    return places;
}

std::string videoIn(const std::vector<fs::path>& places, const std::string& id)
{
    for (const fs::path& place : places) {
        for (const char* suffix : {".webm", ".mp4"})
            if (const fs::path path = place / (id + suffix); isFile(path))
                return path.string();
        if (isFolder(place / id))
            return (place / id).string();
    }
    return {};
}

/// A set of videos with the labels of a list as its classes.
template <typename Entry>
LabelledSet setOf(const std::string& file, const std::vector<Entry>& entries)
{
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    set.video = true;
    std::vector<std::string> labels;
    for (const Entry& entry : entries)
        labels.push_back(entry.label);
    set.classes = sortedClasses(std::move(labels));
    return set;
}

}  // namespace

std::optional<LabelledSet> readKineticsList(const std::string& file)
{
    const auto clips = parseKineticsAnnotation(readListFile(file), file);
    if (!clips)
        return std::nullopt;
    LabelledSet set = setOf(file, *clips);
    LeftOut missing;
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
    LabelledSet set = setOf(file, samples);
    const fs::path split = fs::absolute(file).lexically_normal();
    const std::string labels = siblingLabels(split);
    if (!labels.empty())
        set.classes = parseSomethingLabels(readListFile(labels), labels);
    else
        set.notes.emplace_back(
            "no JSON label file is next to the split, so its templates in sorted order are the classes");
    std::map<std::string, std::int64_t> numbers;
    for (std::size_t i = 0; i < set.classes.size(); ++i)
        numbers.emplace(set.classes[i], static_cast<std::int64_t>(i));
    const std::vector<fs::path> places = placesFor(split);
    LeftOut missing;
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

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"
#include "core/data/dataset/video_segment.h"
#include "core/media/container/frame_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
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

void noteMissing(LabelledSet& set, const LeftOut& missing, size_t listed, const fs::path& folder)
{
    if (set.files.empty())
        throw FileError(set.root,
                        fmt::format("none of its {} videos is in {} or its parent folder; the first is {}", listed,
                                    printable(folder.string()), firstOf(missing.names, 1)),
                        "put the list next to the videos or to their folder");
    keepIssue(set, "missing", missing, fmt::format("of {} listed videos does not exist and is skipped", listed),
              fmt::format("of {} listed videos do not exist and are skipped", listed));
    keepRepeated(set);
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

std::string videoIn(const fs::path& place, const std::string& id)
{
    for (const char* suffix : {".webm", ".mp4"})
        if (const fs::path path = place / (id + suffix); isFile(path))
            return path.string();
    return {};
}

/// A folder and those in it.
std::vector<fs::path> withFoldersIn(const fs::path& top)
{
    std::vector<fs::path> places{top};
    for (const fs::path& path : entriesOf(top))
        if (!isDigits(path.filename().string()) && isFolder(path))
            places.push_back(path);
    return places;
}

/// Where the videos of a split are: its folder and those in it, where they may be folders of frames too; and of the folder above, which may
/// hold other data sets, whichever contain at least one of the listed videos.
class VideoPlaces {
public:
    VideoPlaces(const fs::path& split, const std::vector<ListedSample>& samples)
        : m_near(withFoldersIn(split.parent_path()))
    {
        for (const fs::path& place : withFoldersIn(split.parent_path().parent_path())) {
            const auto isHere = [&](const ListedSample& sample) { return !videoIn(place, sample.path).empty(); };
            if (std::ranges::find(m_near, place) == m_near.end() && std::ranges::any_of(samples, isHere))
                m_above.push_back(place);
        }
    }

    std::string find(const std::string& id)
    {
        for (const fs::path& place : m_near) {
            if (std::string path = videoIn(place, id); !path.empty())
                return path;
            if (isFolder(place / id) && looksLikeFrameFolder(place / id))
                return (place / id).string();
        }
        for (const fs::path& place : m_above)
            if (std::string path = videoIn(place, id); !path.empty()) {
                m_used.insert(printable(place.string()));
                return path;
            }
        return {};
    }

    /// Folders other than the split's own in which videos were found.
    std::vector<std::string> used() const { return {m_used.begin(), m_used.end()}; }

private:
    std::vector<fs::path> m_near, m_above;
    std::set<std::string> m_used;
};

/// A set of videos with the labels of a list as its classes; of several splits only the entries for evaluation remain.
template <typename Entry, typename Name>
LabelledSet setOf(const std::string& file, std::vector<Entry>& entries, Name name)
{
    LabelledSet set;
    set.root = file;
    set.layout = FolderLayout::List;
    set.video = true;
    keepSplit(set, entries, SetPurpose::Evaluation, [&](const Entry& entry) { return std::invoke(name, entry); });
    std::vector<std::string> labels;
    for (const Entry& entry : entries)
        labels.push_back(entry.label);
    set.classes = sortedClasses(std::move(labels));
    return set;
}

/// "0", "1", … up to the largest of these numbers.
std::vector<std::string> classesUpTo(const std::vector<std::string>& numbers, const std::string& file)
{
    constexpr int64_t maxClasses = 1'000'000;
    int64_t largest = 0;
    for (const std::string& text : numbers)
        largest = std::max(largest, parseNumber<int64_t>(text).value_or(maxClasses));
    if (largest >= maxClasses)
        throw FileError(file, "its class numbers are too large", "labels are numbers from 0 to 999999");
    return numberedClasses(largest + 1);
}

}

std::optional<LabelledSet> readKineticsList(const std::string& file)
{
    auto clips = parseKineticsAnnotation(readListFile(file), file);
    if (!clips)
        return std::nullopt;
    LabelledSet set = setOf(file, *clips, &KineticsClip::stem);
    LeftOut missing;
    addClips(set, *clips, folderOf(file), missing);
    if (set.files.empty()) {
        missing = {};
        addClips(set, *clips, folderOf(file).parent_path(), missing);
        set.notes.push_back("the videos are below " + printable(folderOf(file).parent_path().string()));
    }
    noteMissing(set, missing, clips->size(), folderOf(file));
    return set;
}

LabelledSet readSomethingSplit(const std::string& file)
{
    std::vector<ListedSample> samples = parseSomethingSplit(readListFile(file), file);
    LabelledSet set = setOf(file, samples, &ListedSample::path);
    set.wholeVideos = true;
    const fs::path split = fs::absolute(file).lexically_normal();
    const std::string labels = siblingLabels(split);
    set.numbered = !labels.empty() || std::ranges::all_of(set.classes, isDigits);
    if (!labels.empty())
        set.classes = parseSomethingLabels(readListFile(labels), labels);
    else if (set.numbered)
        set.classes = classesUpTo(set.classes, file);
    else
        set.notes.emplace_back(
            "no JSON label file is next to the split, so its templates in sorted order are the classes");
    std::map<std::string, int64_t> numbers;
    for (size_t i = 0; i < set.classes.size(); ++i)
        numbers.emplace(set.classes[i], int64_t(i));
    VideoPlaces places(split, samples);
    LeftOut missing;
    for (const ListedSample& sample : samples) {
        const auto number = numbers.find(sample.label);
        if (number == numbers.end())
            throw FileError(file,
                            fmt::format("entry {}: `{}` is not a class of {}", sample.line,
                                        printable(sample.label), printable(labels)),
                            "both files must be from the same data set");
        const std::string path = places.find(sample.path);
        if (path.empty())
            missing.add(sample.path);
        else
            set.files.push_back({path, number->second});
    }
    noteMissing(set, missing, samples.size(), folderOf(file));
    if (const auto used = places.used(); !used.empty())
        set.notes.push_back("videos are from " + joinWords(used, "and"));
    return set;
}

LabelledSet scanKitchens(const std::string& place, const std::string& annotation)
{
    const bool hasFolder = isFolder(place);
    std::string list = annotation.empty() ? place : annotation;
    if (hasFolder && annotation.empty())
        for (const fs::path& folder : withFoldersIn(place))
            if (const fs::path usual = folder / "EPIC_100_validation.csv"; isFile(usual))
                list = usual.string();
    if (isFolder(list))
        throw FileError(place, "there is no EPIC_100_validation.csv in it",
                        "give EPIC-KITCHENS-100's annotation with --labels-file");
    const std::vector<KitchenAction> actions = parseKitchenActions(readListFile(list), list);
    const fs::path top = hasFolder ? fs::path(place) : folderOf(place);
    LabelledSet set{
        .root = place, .layout = hasFolder ? FolderLayout::Kinetics : FolderLayout::List, .video = true};
    set.heads = {kitchenVerbs, kitchenNouns};
    LeftOut missing;
    for (const fs::path& folder : {top, top.parent_path()}) {
        const VideosBelow videos(folder);
        missing = {};
        for (const KitchenAction& action : actions)
            if (const std::string path = videos.find(action.video); path.empty())
                missing.add(action.id);
            else
                set.files.push_back({segmentPath({path, action.start, action.end}, action.id),
                                     action.verb * kitchenNouns + action.noun});
        if (hasFolder || !set.files.empty())
            break;
    }
    noteMissing(set, missing, actions.size(), top);
    return set;
}

std::string videoListIn(const std::string& folder)
{
    std::string annotation;
    for (const fs::path& path : entriesOf(folder)) {
        const std::string name = path.filename().string();
        const bool diving = name.starts_with("Diving48") && name.find("test") != std::string::npos;
        if (path.extension() == ".json" && (diving || name.find("validation") != std::string::npos))
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

}

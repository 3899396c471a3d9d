#include "core/data/dataset/labelled_folder.h"

#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <unordered_map>
#include <utility>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<FolderLayout, const char*>, 4> layoutNames{{{FolderLayout::Auto, "auto"},
                                                                           {FolderLayout::ImageNet, "imagenet"},
                                                                           {FolderLayout::Kinetics, "kinetics"},
                                                                           {FolderLayout::List, "list"}}};

[[noreturn]] void refuseClasses(const LabelledSet& training, const LabelledSet& validation,
                                const std::vector<std::string>& unknown)
{
    throw FileError(validation.root,
                    fmt::format("{} of its classes {} not among the {} of {}: {}", unknown.size(),
                                unknown.size() == 1 ? "is" : "are", training.classes.size(),
                                printable(training.root), firstOf(unknown, 3)),
                    "both need the same class names");
}

/// Replaces the labels of `validation` by those of the training classes with the same names.
void adoptClasses(const LabelledSet& training, LabelledSet& validation)
{
    std::unordered_map<std::string, int64_t> numbers;
    for (size_t label = 0; label < training.classes.size(); ++label)
        numbers.emplace(training.classes[label], int64_t(label));
    std::vector<int64_t> targets;
    for (const std::string& name : validation.classes) {
        const auto found = numbers.find(name);
        targets.push_back(found == numbers.end() ? -1 : found->second);
    }
    if (const auto unknown = untargeted(validation, targets); !unknown.empty())
        refuseClasses(training, validation, unknown);
    const std::vector<bool> used = usedClasses(validation);
    const auto present = size_t(std::count(used.begin(), used.end(), true));
    if (present < training.classes.size())
        validation.notes.push_back(fmt::format("{} of {} classes have no validation sample",
                                               training.classes.size() - present, training.classes.size()));
    relabel(validation, targets, training.classes);
}

void refuseEmptyClasses(const LabelledSet& training)
{
    for (const DataIssue& issue : training.issues)
        if (issue.kind == "empty_class")
            throw FileError(training.root,
                            fmt::format("{} of its classes {} no {}: {}", issue.count,
                                        issue.count == 1 ? "has" : "have", training.video ? "video" : "image",
                                        firstOf(issue.names, 3)),
                            "remove empty folders, or fill them: each folder becomes a class of the network");
}

LabelledSet validationSet(const LabelledSet& training, const std::string& place, FolderLayout layout)
{
    LabelledSet validation = scanLabelled(place, layout);
    if (validation.video != training.video)
        throw FileError(place,
                        fmt::format("contains {}, but {} contains {}", validation.video ? "videos" : "images",
                                    printable(training.root), training.video ? "videos" : "images"));
    adoptClasses(training, validation);
    const bool sameList = validation.layout == FolderLayout::List && validation.files != training.files;
    if (const auto identity = identityOf(place); identity && identity == identityOf(training.root) && !sameList)
        validation.notes.emplace_back(
            "these are the training samples themselves, so accuracy on them means little");
    return validation;
}

}

std::string firstOf(const std::vector<std::string>& names, size_t most)
{
    std::vector<std::string> first;
    for (size_t i = 0; i < std::min(most, names.size()); ++i)
        first.push_back(printable(names[i]));
    return joinWords(first, "and") + (names.size() > most ? " …" : "");
}

void keepIssue(LabelledSet& set, const char* kind, const LeftOut& found, const std::string& one,
               const std::string& many)
{
    if (found.count == 0)
        return;
    set.notes.push_back(
        fmt::format("{} {}: {}", found.count, found.count == 1 ? one : many, firstOf(found.names, 3)));
    DataIssue& issue = set.issues.emplace_back(DataIssue{kind, found.count, {}});
    std::ranges::transform(found.names, std::back_inserter(issue.names), jsonPath);
}

void keepSystemNames(LabelledSet& set, const LeftOut& found)
{
    keepIssue(set, "system", found, "hidden name, or of the system, is passed over",
              "hidden names, or of the system, are passed over");
}

void keepRepeated(LabelledSet& set)
{
    LeftOut duplicates, contradictions;
    std::unordered_map<std::string_view, int64_t> labels;
    for (const LabelledFile& file : set.files)
        if (const auto [first, added] = labels.emplace(file.path, file.label); !added)
            (first->second == file.label ? duplicates : contradictions).add(file.path);
    keepIssue(set, "duplicate", duplicates, "line repeats a file with the same label, which counts again",
              "lines repeat a file with the same label, which counts again");
    keepIssue(set, "contradiction", contradictions,
              "line repeats a file with another label, so that one of them counts as wrong",
              "lines repeat a file with another label, so that one of them counts as wrong");
}

std::string splitFor(SetPurpose purpose, const std::set<std::string>& splits, const std::string& file)
{
    if (splits.size() < 2)
        return {};
    const bool training = purpose == SetPurpose::Training;
    constexpr std::array forTraining{"train", "training"};
    constexpr std::array forEvaluation{"val", "validate", "validation", "valid", "test", "testing"};
    for (const std::span<const char* const> names = training ? std::span<const char* const>(forTraining)
                                                             : forEvaluation;
         const char* name : names)
        if (splits.contains(name))
            return name;
    throw FileError(file,
                    fmt::format("its lines are of the splits {}, none of which is for {}",
                                joinWords({splits.begin(), splits.end()}, "and"),
                                training ? "training" : "validation"),
                    training ? "call one train" : "call one val, or give a list of one split");
}

std::vector<std::string> numberedClasses(int64_t count)
{
    std::vector<std::string> numbers;
    for (int64_t i = 0; i < count; ++i)
        numbers.push_back(std::to_string(i));
    return numbers;
}

int64_t indexIn(const std::vector<std::string>& sorted, const std::string& name)
{
    return std::ranges::lower_bound(sorted, name) - sorted.begin();
}

std::vector<bool> usedClasses(const LabelledSet& set)
{
    std::vector<bool> used(set.classes.size());
    for (const LabelledFile& file : set.files) {
        used.at(size_t(file.label)) = true;
        for (const int64_t other : file.otherLabels)
            used.at(size_t(other)) = true;
    }
    return used;
}

std::vector<std::string> untargeted(const LabelledSet& set, const std::vector<int64_t>& targets)
{
    const std::vector<bool> used = usedClasses(set);
    std::vector<std::string> names;
    for (size_t label = 0; label < used.size(); ++label)
        if (used[label] && targets[label] < 0)
            names.push_back(set.classes[label]);
    return names;
}

void relabel(LabelledSet& set, const std::vector<int64_t>& targets, const std::vector<std::string>& classes)
{
    const auto target = [&](int64_t label) { return targets[size_t(label)]; };
    for (LabelledFile& file : set.files) {
        file.label = target(file.label);
        std::ranges::transform(file.otherLabels, file.otherLabels.begin(), target);
    }
    std::ranges::transform(set.choices, set.choices.begin(), target);
    std::erase_if(set.choices, [](int64_t choice) { return choice < 0; });
    std::ranges::sort(set.choices);
    set.classes = classes;
}

std::string splitIn(const fs::path& folder, std::initializer_list<const char*> names,
                    const std::function<bool(const fs::path&)>& isSplit)
{
    for (const char* name : names) {
        for (const char* suffix : {"", ".tar", ".tar.gz", ".zip"})
            if (const fs::path place = folder / (std::string(name) + suffix); isSplit(place))
                return place.string();
        for (const char* suffix : {".txt", ".csv", ".tsv"})
            if (const fs::path list = folder / (std::string(name) + suffix); isFile(list))
                return list.string();
    }
    return {};
}

FolderLayout parseFolderLayout(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& [layout, known] : layoutNames) {
        if (name == known)
            return layout;
        names.emplace_back(known);
    }
    throw UsageError("--layout", "`" + printable(name) + "` is an unknown layout", "use " + joinWords(names));
}

std::string folderLayoutName(FolderLayout layout)
{
    return layoutNames[size_t(layout)].second;
}

LabelledSet scanLabelled(const std::string& place, FolderLayout layout, SetPurpose purpose)
{
    return scanArchives(place, layout, purpose, [&](const std::string& folder) {
        std::error_code problem;
        if (isFolder(folder) || isArchive(folder)) {
            if (layout == FolderLayout::List)
                throw FileError(folder, "is a folder", "the layout `list` needs the list file itself");
            return scanClassFolders(folder, layout);
        }
        if (!fs::exists(folder, problem) && !isFile(folder))
            throw FileError(folder, "does not exist");
        if (layout == FolderLayout::ImageNet || layout == FolderLayout::Kinetics)
            throw FileError(folder, "is not a folder",
                            fmt::format("the layout `{}` needs one", folderLayoutName(layout)));
        return readLabelList(folder, purpose);
    });
}

LabelledSplits scanSplits(const std::string& folder, FolderLayout layout, const std::string& validation)
{
    // A class may be called "train": only a folder of folders is a split.
    const std::string train = isFolder(folder) || isArchive(folder) ? splitIn(folder, {"train"}, hasFolders)
                                                                    : std::string();
    LabelledSplits splits{scanLabelled(train.empty() ? folder : train, layout, SetPurpose::Training),
                          std::nullopt};
    refuseEmptyClasses(splits.training);
    std::string other = validation;
    if (other.empty() && !train.empty())
        other = splitIn(folder, {"val", "validation", "valid", "test"}, hasFolders);
    const auto isOtherSplit = [](const DataIssue& issue) { return issue.kind == "other_split"; };
    if (other.empty() && std::ranges::any_of(splits.training.issues, isOtherSplit))
        other = splits.training.root;
    if (!other.empty())
        splits.validation = validationSet(splits.training, other,
                                          isFile(other) && !isArchive(other) ? FolderLayout::List : layout);
    return splits;
}

}

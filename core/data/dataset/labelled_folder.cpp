// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/labelled_folder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
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
    std::unordered_map<std::string, std::int64_t> numbers;
    for (std::size_t label = 0; label < training.classes.size(); ++label)
        numbers.emplace(training.classes[label], static_cast<std::int64_t>(label));
    std::vector<std::int64_t> targets;
    for (const std::string& name : validation.classes) {
        const auto found = numbers.find(name);
        targets.push_back(found == numbers.end() ? -1 : found->second);
    }
    if (const auto unknown = untargeted(validation, targets); !unknown.empty())
        refuseClasses(training, validation, unknown);
    const std::vector<bool> used = usedClasses(validation);
    const auto present = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    if (present < training.classes.size())
        validation.notes.push_back(fmt::format("{} of {} classes have no validation sample",
                                               training.classes.size() - present, training.classes.size()));
    relabel(validation, targets, training.classes);
}

LabelledSet validationSet(const LabelledSet& training, const std::string& place, FolderLayout layout)
{
    LabelledSet validation = scanLabelled(place, layout);
    if (validation.video != training.video)
        throw FileError(place, fmt::format("contains {}, but {} contains {}", validation.video ? "videos" : "images",
                                           printable(training.root), training.video ? "videos" : "images"));
    adoptClasses(training, validation);
    if (const auto identity = identityOf(place); identity && identity == identityOf(training.root))
        validation.notes.emplace_back(
            "these are the training samples themselves, so accuracy on them means little");
    return validation;
}

}  // namespace

std::string firstOf(const std::vector<std::string>& names, std::size_t most)
{
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        first.push_back(printable(names[i]));
    return joinWords(first, "and") + (names.size() > most ? " …" : "");
}

std::vector<std::string> numberedClasses(std::int64_t count)
{
    std::vector<std::string> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(std::to_string(i));
    return numbers;
}

std::vector<std::string> sortedClasses(std::vector<std::string> names)
{
    std::ranges::sort(names);
    // NOLINTNEXTLINE(modernize-use-ranges): clang 14, which fuzzes this, cannot read std::ranges::unique of GCC 12
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::int64_t indexIn(const std::vector<std::string>& sorted, const std::string& name)
{
    return std::ranges::lower_bound(sorted, name) - sorted.begin();
}

std::vector<bool> usedClasses(const LabelledSet& set)
{
    std::vector<bool> used(set.classes.size());
    for (const LabelledFile& file : set.files)
        used.at(static_cast<std::size_t>(file.label)) = true;
    return used;
}

std::vector<std::string> untargeted(const LabelledSet& set, const std::vector<std::int64_t>& targets)
{
    const std::vector<bool> used = usedClasses(set);
    std::vector<std::string> names;
    for (std::size_t label = 0; label < used.size(); ++label)
        if (used[label] && targets[label] < 0)
            names.push_back(set.classes[label]);
    return names;
}

void relabel(LabelledSet& set, const std::vector<std::int64_t>& targets, const std::vector<std::string>& classes)
{
    for (LabelledFile& file : set.files)
        file.label = targets[static_cast<std::size_t>(file.label)];
    set.classes = classes;
}

std::string splitIn(const fs::path& folder, std::initializer_list<const char*> names,
                    const std::function<bool(const fs::path&)>& isSplit)
{
    for (const char* name : names) {
        if (isSplit(folder / name))
            return (folder / name).string();
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
    return layoutNames[static_cast<std::size_t>(layout)].second;
}

LabelledSet scanLabelled(const std::string& folder, FolderLayout layout)
{
    std::error_code problem;
    const fs::file_status status = fs::status(folder, problem);
    if (!fs::exists(status))
        throw FileError(folder, "does not exist");
    if (fs::is_directory(status)) {
        if (layout == FolderLayout::List)
            throw FileError(folder, "is a folder", "the layout `list` needs the list file itself");
        return scanClassFolders(folder, layout);
    }
    if (layout == FolderLayout::ImageNet || layout == FolderLayout::Kinetics)
        throw FileError(folder, "is not a folder",
                        fmt::format("the layout `{}` needs one", folderLayoutName(layout)));
    return readLabelList(folder);
}

LabelledSplits scanSplits(const std::string& folder, FolderLayout layout, const std::string& validation)
{
    // A class may be called "train": only a folder of folders is a split.
    const std::string train = isFolder(folder) ? splitIn(folder, {"train"}, hasFolders) : std::string();
    LabelledSplits splits{scanLabelled(train.empty() ? folder : train, layout), std::nullopt};
    std::string other = validation;
    if (other.empty() && !train.empty())
        other = splitIn(folder, {"val", "validation", "valid", "test"}, hasFolders);
    if (!other.empty())
        splits.validation = validationSet(splits.training, other, isFile(other) ? FolderLayout::List : layout);
    return splits;
}

}  // namespace attnscope

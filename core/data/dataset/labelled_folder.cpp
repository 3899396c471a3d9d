// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/labelled_folder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/class_folders.h"
#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/label_list.h"

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

/// A class may be called "train": only a folder of folders is a split.
bool isSplit(const fs::path& folder)
{
    std::error_code problem;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem)) {
        std::error_code unknown;
        if (!isHidden(entry->path()) && entry->is_directory(unknown))
            return true;
    }
    return false;
}

/// The folder or list of a split in `folder`; empty if there is none.
std::string splitIn(const fs::path& folder, std::initializer_list<const char*> names)
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

[[noreturn]] void refuseClasses(const LabelledSet& training, const LabelledSet& validation,
                                const std::vector<std::string>& unknown)
{
    const std::vector<std::string> some(unknown.begin(),
                                        unknown.begin() + std::min<std::ptrdiff_t>(3, std::ssize(unknown)));
    throw FileError(validation.root,
                    fmt::format("{} of its classes {} not among the {} of {}: {}{}", unknown.size(),
                                unknown.size() == 1 ? "is" : "are", training.classes.size(),
                                printable(training.root), joinWords(some, "and"),
                                unknown.size() > some.size() ? " …" : ""),
                    "both need the same class names");
}

/// Replaces the labels of `validation` by those of the training classes with the same names.
void adoptClasses(const LabelledSet& training, LabelledSet& validation)
{
    std::unordered_map<std::string, std::int64_t> numbers;
    for (std::size_t label = 0; label < training.classes.size(); ++label)
        numbers.emplace(training.classes[label], static_cast<std::int64_t>(label));
    std::vector<bool> used(validation.classes.size());
    for (const LabelledFile& file : validation.files)
        used[static_cast<std::size_t>(file.label)] = true;
    std::vector<std::int64_t> translated;
    std::vector<std::string> unknown;
    for (std::size_t label = 0; label < used.size(); ++label) {
        const auto found = numbers.find(validation.classes[label]);
        translated.push_back(found == numbers.end() ? -1 : found->second);
        if (found == numbers.end() && used[label])
            unknown.push_back(printable(validation.classes[label]));
    }
    if (!unknown.empty())
        refuseClasses(training, validation, unknown);
    for (LabelledFile& file : validation.files)
        file.label = translated[static_cast<std::size_t>(file.label)];
    const auto present = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    if (present < training.classes.size())
        validation.notes.push_back(fmt::format("{} of {} classes have no validation sample",
                                               training.classes.size() - present, training.classes.size()));
    validation.classes = training.classes;
}

LabelledSet validationSet(const LabelledSet& training, const std::string& place, FolderLayout layout)
{
    LabelledSet validation = scanLabelled(place, layout);
    if (validation.video != training.video)
        throw FileError(place, fmt::format("contains {}, but {} contains {}", validation.video ? "videos" : "images",
                                           printable(training.root), training.video ? "videos" : "images"));
    adoptClasses(training, validation);
    if (const auto identity = identityOf(place); identity && identity == identityOf(training.root))
        validation.notes.push_back("these are the training samples themselves, so accuracy on them means little");
    return validation;
}

}  // namespace

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
    const std::string train = isFolder(folder) ? splitIn(folder, {"train"}) : std::string();
    LabelledSplits splits{scanLabelled(train.empty() ? folder : train, layout), std::nullopt};
    std::string other = validation;
    if (other.empty() && !train.empty())
        other = splitIn(folder, {"val", "validation", "valid", "test"});
    if (!other.empty())
        splits.validation = validationSet(splits.training, other, isFile(other) ? FolderLayout::List : layout);
    return splits;
}

}  // namespace attnscope

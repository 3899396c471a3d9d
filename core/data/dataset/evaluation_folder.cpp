// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/evaluation_folder.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/flat_imagenet.h"
#include "core/data/dataset/listed_videos.h"

#include <filesystem>
#include <string>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

bool hasFolders(const fs::path& folder)
{
    std::error_code problem, unknown;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem))
        if (!isHidden(entry->path()) && entry->is_directory(unknown))
            return true;
    return false;
}

/// The split for evaluation in a folder that also has a training split (a class may be called "val").
std::string validationIn(const fs::path& folder)
{
    const bool trains = isFolder(folder / "train") || isFile(folder / "train.txt") || isFile(folder / "train.csv")
                        || isFile(folder / "train.tsv");
    for (const char* name : {"val", "validation", "valid", "test"}) {
        if (trains && (hasFolders(folder / name) || isFlatImageNet((folder / name).string())))
            return (folder / name).string();
        for (const char* suffix : {".txt", ".csv", ".tsv"})
            if (const fs::path list = folder / (std::string(name) + suffix); trains && isFile(list))
                return list.string();
    }
    return {};
}

LabelledSet scanFile(const std::string& file, FolderLayout layout)
{
    if (layout == FolderLayout::ImageNet)
        throw FileError(file, "is not a folder", "the layout `imagenet` needs one");
    if (fs::path(file).extension() == ".json")
        return readSomethingSplit(file);
    if (auto kinetics = readKineticsList(file))
        return *kinetics;
    return scanLabelled(file, FolderLayout::List);
}

LabelledSet scanFolder(const std::string& folder, FolderLayout layout)
{
    if (const std::string split = validationIn(folder); !split.empty()) {
        LabelledSet set = scanEvaluation(split, isFile(split) ? FolderLayout::List : layout);
        set.notes.insert(set.notes.begin(), printable(folder) + " contains several splits; this is "
                                                + printable(fs::path(split).filename().string()));
        return set;
    }
    if (layout == FolderLayout::List) {
        for (const char* name : {"val.txt", "val.csv", "val.tsv", "test.txt", "test.csv", "test.tsv"})
            if (isFile(fs::path(folder) / name))
                return scanFile((fs::path(folder) / name).string(), layout);
        throw FileError(folder, "is a folder without a list",
                        "the layout `list` needs the list file itself, or val.txt in the folder");
    }
    if (layout != FolderLayout::Kinetics && isFlatImageNet(folder))
        return scanFlatImageNet(folder);
    if (layout != FolderLayout::ImageNet)
        if (const std::string list = videoListIn(folder); !list.empty())
            return scanFile(list, layout);
    return scanLabelled(folder, layout);
}

}  // namespace

LabelledSet scanEvaluation(const std::string& place, FolderLayout layout)
{
    std::error_code problem;
    if (!fs::exists(place, problem))
        throw FileError(place, "does not exist");
    return isFolder(place) ? scanFolder(place, layout) : scanFile(place, layout);
}

}  // namespace attnscope

#include "core/data/dataset/evaluation_folder.h"

#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"
#include "core/data/dataset/protocol.h"

#include <algorithm>
#include <filesystem>
#include <string>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

bool isSplit(const fs::path& place)
{
    return hasFolders(place) || isFlatImageNet(place);
}

/// Whether the folder's only folders are splits for evaluation (a class may be called "val", but has no classes).
bool hasSplitsAlone(const fs::path& folder)
{
    bool any = false;
    for (const FolderEntry& place : entriesOf(folder)) {
        if (place.kind != FolderEntry::Kind::Folder)
            continue;
        const std::string name = place.path.filename().string();
        if (!isSplitName(name) || name.starts_with("train") || !isSplit(place))
            return false;
        any = true;
    }
    return any;
}

/// The split for evaluation in a folder that also has a training split, or no other folder.
std::string validationIn(const fs::path& folder)
{
    const auto isTraining = [](const fs::path& place) { return isFolder(place) || isArchive(place); };
    if (splitIn(folder, {"train"}, isTraining).empty() && !hasSplitsAlone(folder))
        return {};
    return splitIn(folder, {"val", "validation", "valid", "test"}, isSplit);
}

/// A list of labels in a folder whose images are in no class folders; empty if there is none.
std::string listOfFlat(const fs::path& folder)
{
    return hasFolders(folder)
               ? std::string()
               : splitIn(folder, {"val", "validation", "test", "labels"}, [](const fs::path&) { return false; });
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
        LabelledSet set = scanEvaluation(split, isFile(split) && !isArchive(split) ? FolderLayout::List : layout);
        set.notes.insert(set.notes.begin(), printable(folder) + " contains splits; this is "
                                                + printable(fs::path(split).filename().string()));
        return set;
    }
    if (layout == FolderLayout::List) {
        const auto isNone = [](const fs::path&) { return false; };
        if (const std::string list = splitIn(folder, {"val", "test"}, isNone); !list.empty())
            return scanFile(list, layout);
        throw FileError(folder, "is a folder without a list",
                        "the layout `list` needs the list file itself, or val.txt in the folder");
    }
    if (layout != FolderLayout::Kinetics && isFlatImageNet(folder))
        return scanFlatImageNet(folder);
    if (layout != FolderLayout::ImageNet)
        if (const std::string list = videoListIn(folder); !list.empty())
            return scanFile(list, layout);
    if (const std::string list = listOfFlat(folder); layout == FolderLayout::Auto && !list.empty())
        return scanFile(list, layout);
    return scanLabelled(folder, layout);
}

/// A folder's files with the labels of a list anywhere.
LabelledSet scanWithLabels(const std::string& folder, const std::string& list)
{
    if (!isFolder(folder))
        throw FileError(folder, "is not a folder", "a list of labels is for the files of a folder");
    const std::string text = readListFile(list);
    const std::vector<TextLine> lines = linesOf(text, list);
    const auto isNumberAlone = [](const TextLine& line) { return isDigits(line.text); };
    if (lines.empty() || !std::ranges::all_of(lines, isNumberAlone))
        return readLabelList(list, SetPurpose::Evaluation, folder);
    if (!isFlatImageNet(folder))
        throw FileError(list, "is a list of numbers without names of files",
                        "such a list belongs to a folder of ILSVRC2012_val_00000001.JPEG …; otherwise a line is "
                        "`path label`");
    return scanFlatImageNet(folder, list);
}

}

LabelledSet scanEvaluation(const std::string& place, FolderLayout layout)
{
    return scanArchives(place, layout, SetPurpose::Evaluation, [&](const std::string& found) {
        std::error_code problem;
        if (isFolder(found) || isArchive(found))
            return scanFolder(found, layout);
        if (!fs::exists(found, problem) && !isFile(found))
            throw FileError(found, "does not exist");
        return scanFile(found, layout);
    });
}

LabelledSet scanEvaluation(const EvaluationSource& source)
{
    if (!source.protocol.empty())
        return scanProtocol(source);
    return source.labelsFile.empty() ? scanEvaluation(source.place, source.layout)
                                     : scanWithLabels(source.place, source.labelsFile);
}

}

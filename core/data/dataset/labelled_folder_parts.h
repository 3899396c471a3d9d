// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/labelled_folder.h"

#include <functional>
#include <initializer_list>

/// What the scanners of labelled_folder.h and evaluation_folder.h share, and the parts that they consist of.
namespace attnscope {

/// Skipped files of one kind.
struct LeftOut {
    std::size_t count = 0;
    std::string first;

    void add(const std::string& name)
    {
        if (count++ == 0)
            first = name;
    }
};

/// "a, b and c …": at most `most` names.
[[nodiscard]] std::string firstOf(const std::vector<std::string>& names, std::size_t most);

/// "0", "1", …
[[nodiscard]] std::vector<std::string> numberedClasses(std::int64_t count);

/// The names as classes, sorted and without repetitions.
[[nodiscard]] std::vector<std::string> sortedClasses(std::vector<std::string> names);
/// The index of one of them.
[[nodiscard]] std::int64_t indexIn(const std::vector<std::string>& sorted, const std::string& name);

/// Which classes have a file.
[[nodiscard]] std::vector<bool> usedClasses(const LabelledSet& set);
/// The used classes that have no target: their number is negative.
[[nodiscard]] std::vector<std::string> untargeted(const LabelledSet& set, const std::vector<std::int64_t>& targets);
/// Replaces the labels by their targets among `classes`.
void relabel(LabelledSet& set, const std::vector<std::int64_t>& targets, const std::vector<std::string>& classes);

/// The first of the splits NAME that is a folder accepted by `isSplit`, or a list NAME.txt, .csv or .tsv; empty if there is none.
[[nodiscard]] std::string splitIn(const std::filesystem::path& folder, std::initializer_list<const char*> names,
                    const std::function<bool(const std::filesystem::path&)>& isSplit);

/// The whole text of a list, at most 1 GiB. Throws FileError for anything but a regular file.
[[nodiscard]] std::string readListFile(const std::string& file);
/// Reads a list file; see scanLabelled.
[[nodiscard]] LabelledSet readLabelList(const std::string& file);

/// Reads a folder of class folders; `layout` Auto, ImageNet or Kinetics. See scanLabelled.
[[nodiscard]] LabelledSet scanClassFolders(const std::string& folder, FolderLayout layout);

/// Whether the folder directly contains images named ILSVRC2012_val_00000001.JPEG.
[[nodiscard]] bool isFlatImageNet(const std::filesystem::path& folder);
/// Those images with the labels of a list in the folder or above it; see scanEvaluation. Throws FileError.
[[nodiscard]] LabelledSet scanFlatImageNet(const std::string& folder);

/// Reads Kinetics' annotation list; empty if the file's header is different. Throws FileError.
[[nodiscard]] std::optional<LabelledSet> readKineticsList(const std::string& file);
/// Reads Something-Something's split, with the labels of the other JSON file next to it. Throws FileError.
[[nodiscard]] LabelledSet readSomethingSplit(const std::string& file);
/// The list in a folder: its split of Something-Something (…validation.json), or its annotation list of Kinetics; empty if there is
/// neither.
[[nodiscard]] std::string videoListIn(const std::string& folder);

}  // namespace attnscope

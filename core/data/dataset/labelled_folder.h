// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which files a training or an evaluation reads, and their classes. Inspects only names and kinds of files: opens no image.
namespace attnscope {

enum class FolderLayout {
    Auto,  ///< a file is a list; a folder of class folders contains images or videos, whichever are more numerous
    ImageNet,  ///< FOLDER/CLASS/….jpg: images
    Kinetics,  ///< FOLDER/CLASS/….mp4: videos
    List,      ///< a text file of lines "path label", or of the columns path and label (CSV, TSV)
};

/// "auto", "imagenet", "kinetics" or "list". Throws UsageError.
[[nodiscard]] FolderLayout parseFolderLayout(const std::string& name);
[[nodiscard]] std::string folderLayoutName(FolderLayout layout);

struct LabelledFile {
    std::string path;        ///< as passed to open
    std::int64_t label = 0;  ///< index in the set's classes
    friend bool operator==(const LabelledFile&, const LabelledFile&) = default;
};

/// The files for training or validation, in an order that depends only on their names.
struct LabelledSet {
    std::string root;                          ///< the folder, or the list file
    FolderLayout layout = FolderLayout::Auto;  ///< never Auto once scanned
    bool video = false;
    std::vector<std::string> classes;  ///< by byte-wise sorted folder name; of lists with numbers: "0", "1", …
    std::vector<LabelledFile> files;   ///< of folders: by class, then byte-wise by path below it
    std::vector<std::string> notes;    ///< what was skipped and why, one sentence each
};

struct LabelledSplits {
    LabelledSet training;
    std::optional<LabelledSet> validation;  ///< with the classes of `training`
};

/// Scans one folder of class folders (folders inside a class count for it), or reads one list file.
///
/// A folder's files belong to a class if their suffix, in any case, is that of an image (jpg jpeg png ppm bmp pgm tif tiff webp) or of a
/// video (mp4 mkv webm avi mov m4v mpg mpeg ts mts wmv flv 3gp ogv gif); their content is checked later. Hidden names are ignored. Only
/// regular files count (no FIFO, socket or device; nothing is opened); links are followed, but each folder is entered once per class, so
/// that loops of links end.
///
/// A list's path may be relative (to the list's folder) or absolute; the last field is the label: a number from 0 on, or a name, but not
/// both in one list. Lists separated by blanks are split at the last one, so that paths may contain blanks; quotes around a field are
/// removed; a header names the columns ("path" or "file", "label" or "class"); # starts a comment line. Files that are missing or not
/// regular are skipped with a note; paths that lead out of the list's folder are noted too. Throws FileError: not found, no class folders,
/// no file of the layout's kind, an invalid line in a list.
[[nodiscard]] LabelledSet scanLabelled(const std::string& folder, FolderLayout layout);

/// FOLDER/train with FOLDER/val (or validation, valid, test; the first that exists); a folder without `train` is itself the training set.
/// For lists: FOLDER itself, or train.txt, train.csv or train.tsv in it with the correspondingly named list. `validation`, unless empty, is
/// used for validation instead. Classes are matched by name: one that the training set lacks is a FileError; those that the validation set
/// lacks are noted. Throws FileError also if one contains images and the other videos.
[[nodiscard]] LabelledSplits scanSplits(const std::string& folder, FolderLayout layout, const std::string& validation);

}  // namespace attnscope

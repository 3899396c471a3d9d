// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Which files a training or an evaluation reads, and what is in them. Looks at names and kinds of files only: opens no picture.
namespace attnscope {

enum class FolderLayout {
    Auto,  ///< a file is a list; a folder of class folders holds pictures or videos, whichever there are more of
    ImageNet,  ///< FOLDER/CLASS/….jpg: pictures
    Kinetics,  ///< FOLDER/CLASS/….mp4: videos
    List,      ///< a text file of lines "path label", or of the columns path and label (CSV, TSV)
};

/// "auto", "imagenet", "kinetics" or "list". Throws UsageError.
FolderLayout parseFolderLayout(const std::string& name);
std::string folderLayoutName(FolderLayout layout);

struct LabelledFile {
    std::string path;        ///< as it is opened
    std::int64_t label = 0;  ///< index in the set's classes
    friend bool operator==(const LabelledFile&, const LabelledFile&) = default;
};

/// The files of a training or validation, in an order that depends on their names alone.
struct LabelledSet {
    std::string root;                          ///< the folder, or the list file
    FolderLayout layout = FolderLayout::Auto;  ///< never Auto once scanned
    bool video = false;
    std::vector<std::string> classes;  ///< by byte-wise sorted folder name; of lists with numbers: "0", "1", …
    std::vector<LabelledFile> files;   ///< of folders: by class, then byte-wise by path below it
    std::vector<std::string> notes;    ///< what was left out and why, a sentence each
};

struct LabelledSplits {
    LabelledSet training;
    std::optional<LabelledSet> validation;  ///< with the classes of `training`
};

/// Scans one folder of class folders (folders inside a class count for it), or reads one list file.
///
/// A folder's files are a class's if their suffix, in any case, is that of a picture (jpg jpeg png ppm bmp pgm tif tiff webp) or of a
/// video (mp4 mkv webm avi mov m4v mpg mpeg ts mts wmv flv 3gp ogv gif); what they are is told by their content, later. Hidden names are
/// ignored. Only regular files count (no FIFO, socket or device; nothing is opened); links are followed, each folder is entered once in
/// a class, so loops of links end.
///
/// A list's path may be relative (to the list's folder) or absolute; the last field is the label: a number from 0 on, or a name, but
/// not both in one list. Lists of blanks are split at the last one, so that paths may have blanks; quotes around a field are dropped; a
/// heading names the columns ("path" or "file", "label" or "class"); # begins a comment line. Files that are not there or not regular
/// are left out and noted; that paths lead out of the list's folder is noted too.
/// Throws FileError: not there, no class folders, no file of the layout's kind, a list's line that cannot be read.
LabelledSet scanLabelled(const std::string& folder, FolderLayout layout);

/// FOLDER/train with FOLDER/val (or validation, valid, test; the first there is); a folder without `train` is the training set itself.
/// Of lists: FOLDER itself, or train.txt, train.csv or train.tsv in it with the likewise named list. `validation`, unless empty, is
/// what is validated on instead. Classes are matched by name: one that the training set lacks is a FileError; those that the validation
/// set lacks are noted. Throws FileError also when the one holds pictures and the other videos.
LabelledSplits scanSplits(const std::string& folder, FolderLayout layout, const std::string& validation);

}  // namespace attnscope

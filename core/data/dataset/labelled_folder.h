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
FolderLayout parseFolderLayout(const std::string& name);
std::string folderLayoutName(FolderLayout layout);

struct LabelledFile {
    std::string path;   ///< as passed to open
    int64_t label = 0;  ///< index in the set's classes
    /// Further classes that are as right (ReaL, ObjectNet).
    std::vector<int64_t> otherLabels = {};
    friend bool operator==(const LabelledFile&, const LabelledFile&) = default;
};

/// What stands in a data set and is not among its samples, or is so twice: nothing of it is left out in silence.
struct DataIssue {
    static constexpr size_t kept = 1000;
    /// "missing", "not_a_file", "other_kind", "unknown_kind", "system", "no_class", "no_label", "other_split", "other_class",
    /// "repeated_folder", "empty_class", "duplicate" or "contradiction".
    std::string kind;
    int64_t count = 0;
    /// The first `kept`: paths, as listed or found, or classes (spelled by jsonPath).
    std::vector<std::string> names;
    friend bool operator==(const DataIssue&, const DataIssue&) = default;
};

/// The files for training or validation, in an order that depends only on their names.
struct LabelledSet {
    std::string root;                          ///< the folder, or the list file
    FolderLayout layout = FolderLayout::Auto;  ///< never Auto once scanned
    bool video = false;
    std::vector<std::string> classes;  ///< by byte-wise sorted folder name; of lists with numbers: "0", "1", …
    std::vector<LabelledFile> files;   ///< of folders: by class, then byte-wise by path below it
    bool numbered = false;  ///< the data set itself numbers its classes, so that their order is no assumption
    std::vector<std::string> notes;  ///< what was skipped or assumed and why, one sentence each
    std::vector<DataIssue> issues;   ///< those of them that concern samples, with names
    bool wholeVideos = false;      ///< published results are of one clip over the whole video: Something-Something
    std::string protocol;          ///< the published one that it follows (protocol.h); empty: none
    std::vector<int64_t> choices;  ///< the classes among which a prediction is made, ascending; empty: all
    /// How many classes each of two heads has, of which a label is one each, first · heads[1] + second; empty: there is one head.
    std::vector<int64_t> heads;
    int64_t border = 0;  ///< pixels that are cut off at each edge of an image: ObjectNet's frame
};

struct LabelledSplits {
    LabelledSet training;
    std::optional<LabelledSet> validation;  ///< with the classes of `training`
};

/// Scans one folder of class folders (folders inside a class count for it), or reads one list file.
///
/// A folder's files belong to a class if their suffix, in any case, is that of an image or of a video, or, with another suffix or none, if
/// their first bytes are; the whole content is checked later. Links are followed, but each folder is entered once per class, so that loops
/// of links end; a link to a file that is gone is a sample that cannot be read. Everything else is passed over and kept as an issue: other
/// files, hidden names and those that systems leave (@eaDir, Thumbs.db …), what is not a regular file (FIFO, socket or device).
///
/// A list's path may be relative (to the list's folder) or absolute, with or without its suffix; the label is a number from 0 on, or a
/// name, but not both in one list. Lists separated by blanks are split at the last one, so that paths may contain blanks; quotes around a
/// field are removed; a heading names the columns ("path", "file" …, "label", "class" …, "split"); # and a blank start a comment. Where a
/// column names several splits, only the one for `purpose` is read. Files that are missing or not regular are passed over as an issue;
/// paths that lead out of the list's folder are noted.
///
/// A tar or zip archive is read like the folder that it contains, in place; one of a webdataset, a folder of its shards, or their pattern
/// ("train-{000..099}.tar"), by the labels in it; of a folder of other archives each is a class. Throws FileError: not found, no class folders, no file of the layout's kind, an
/// invalid line in a list.
enum class SetPurpose { Training, Evaluation };
LabelledSet scanLabelled(const std::string& place, FolderLayout layout,
                         SetPurpose purpose = SetPurpose::Evaluation);

/// FOLDER/train with FOLDER/val (or validation, valid, test; the first that exists); a folder without `train` is itself the training set.
/// For lists: FOLDER itself, or train.txt, train.csv or train.tsv in it with the correspondingly named list. `validation`, unless empty, is
/// used for validation instead; a list of several splits is both. An empty class folder of the training set is refused: the network would
/// get a class that nothing teaches. Classes are matched by name: one that the training set lacks is a FileError; those that the validation set
/// lacks are noted. Throws FileError also if one contains images and the other videos.
LabelledSplits scanSplits(const std::string& folder, FolderLayout layout, const std::string& validation);

}

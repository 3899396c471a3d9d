#pragma once

#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/labelled_folder.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <set>

/// What the scanners of labelled_folder.h and evaluation_folder.h share, and the parts that they consist of.
namespace attnscope {

/// Files of one kind that are passed over.
struct LeftOut {
    int64_t count = 0;
    std::vector<std::string> names;

    void add(const std::string& name)
    {
        ++count;
        if (names.size() < DataIssue::kept)
            names.push_back(name);
    }
};

/// Keeps what was passed over as an issue of this kind, and as a note: "3 files do not exist: a.jpg, b.jpg and c.jpg". Nothing if there is
/// nothing. `one`, `many`: what is said behind the number.
void keepIssue(LabelledSet& set, const char* kind, const LeftOut& found, const std::string& one,
               const std::string& many);
/// Keeps names that are hidden, or that systems leave.
void keepSystemNames(LabelledSet& set, const LeftOut& found);
/// Keeps files that are in the set more than once, with the same or with another class.
void keepRepeated(LabelledSet& set);

/// "a, b and c …": at most `most` names.
std::string firstOf(const std::vector<std::string>& names, size_t most);

/// "0", "1", …
std::vector<std::string> numberedClasses(int64_t count);

/// The names or numbers of classes, sorted and without repetitions.
template <typename Class>
std::vector<Class> sortedClasses(std::vector<Class> classes)
{
    std::ranges::sort(classes);
    // NOLINTNEXTLINE(modernize-use-ranges): clang 14, which fuzzes this, cannot read std::ranges::unique of GCC 12
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    return classes;
}
/// The index of one of them.
int64_t indexIn(const std::vector<std::string>& sorted, const std::string& name);

/// Which classes have a file.
std::vector<bool> usedClasses(const LabelledSet& set);
/// The used classes that have no target: their number is negative.
std::vector<std::string> untargeted(const LabelledSet& set, const std::vector<int64_t>& targets);
/// Replaces the labels by their targets among `classes`.
void relabel(LabelledSet& set, const std::vector<int64_t>& targets, const std::vector<std::string>& classes);

/// The first of the splits NAME that is a folder accepted by `isSplit`, or a list NAME.txt, .csv or .tsv; empty if there is none.
std::string splitIn(const std::filesystem::path& folder, std::initializer_list<const char*> names,
                    const std::function<bool(const std::filesystem::path&)>& isSplit);

/// The whole text of a list, at most 1 GiB. Throws FileError for anything but a regular file.
std::string readListFile(const std::string& file);
/// Reads a list file; see scanLabelled. `root`: the folder whose files it lists, if not its own; it is then the set's root.
LabelledSet readLabelList(const std::string& file, SetPurpose purpose, const std::string& root = {});
/// The split that serves a purpose among those that the lines of a list name; empty if they name one at most, so that all lines count. Throws
/// FileError if none does.
std::string splitFor(SetPurpose purpose, const std::set<std::string>& splits, const std::string& file);

/// Keeps the lines of the split that serves a purpose; the others are an issue with the names that `nameOf` gives them.
template <typename Line, typename NameOf>
void keepSplit(LabelledSet& set, std::vector<Line>& lines, SetPurpose purpose, const NameOf& nameOf)
{
    std::set<std::string> splits;
    for (const Line& line : lines)
        splits.insert(line.split);
    const std::string kept = splitFor(purpose, splits, set.root);
    LeftOut others;
    if (!kept.empty())
        std::erase_if(lines, [&](const Line& line) {
            if (line.split != kept)
                others.add(nameOf(line));
            return line.split != kept;
        });
    keepIssue(set, "other_split", others, "line is of another split than `" + kept + "` and is skipped",
              "lines are of other splits than `" + kept + "` and are skipped");
}

/// Reads a folder of class folders; `layout` Auto, ImageNet or Kinetics. See scanLabelled.
LabelledSet scanClassFolders(const std::string& folder, FolderLayout layout);

/// The archives that lie in a folder which contains neither folders nor images; else none.
std::vector<std::string> archivesIn(const std::filesystem::path& folder);
/// The name of a folder, or of an archive without its suffixes: "n01440764" of "n01440764.tar.gz".
std::string archiveStem(const std::filesystem::path& path);
/// Reads a data set that consists of archives: the place itself, those in a folder, or "train-{000..099}.tar". Of several the ones for
/// `purpose`, if their names tell splits. Labels are those that the archives give; without them `scan` reads a single archive like a folder,
/// and of several each is a class. Any other place is left to `scan`. Throws FileError.
LabelledSet scanArchives(const std::string& place, FolderLayout layout, SetPurpose purpose,
                         const std::function<LabelledSet(const std::string&)>& scan);

/// Whether the folder directly contains images named ILSVRC2012_val_00000001.JPEG.
bool isFlatImageNet(const std::filesystem::path& folder);
/// Those images with the labels of a list in the folder or above it, or the program's own; see scanEvaluation. `truth`: the devkit's list of
/// their numbers, if it is given. Throws FileError.
LabelledSet scanFlatImageNet(const std::string& folder, const std::string& truth = {});

/// A folder of corruptions (gaussian_noise, …), each with a folder per severity (1 to 5), each with class folders. Throws FileError.
LabelledSet scanCorruptions(const std::string& folder);
/// ObjectNet: the classes that ImageNet has, by the mappings that the data set contains. Throws FileError.
LabelledSet scanObjectNet(const std::string& folder);

/// Reads Kinetics' annotation list; empty if the file's header is different. Throws FileError.
std::optional<LabelledSet> readKineticsList(const std::string& file);
/// Reads Something-Something's split, with the labels of the other JSON file next to it. Throws FileError.
LabelledSet readSomethingSplit(const std::string& file);
/// EPIC-KITCHENS-100: the segments of an annotation, or of EPIC_100_validation.csv in a folder or one below; the videos are anywhere below the
/// folder, or as those of Kinetics. `annotation`: elsewhere, if it is given. Throws FileError.
LabelledSet scanKitchens(const std::string& place, const std::string& annotation);
/// The list in a folder: its split of Something-Something (…validation.json), or its annotation list of Kinetics; empty if there is
/// neither.
std::string videoListIn(const std::string& folder);

}

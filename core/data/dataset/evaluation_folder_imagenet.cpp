#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "ILSVRC2012_val_";
/// Kaggle's archive has the images in ILSVRC/Data/CLS-LOC/val and the labels at its top.
constexpr int levelsAbove = 4;
constexpr int64_t maxClasses = 1'000'000;

constexpr std::initializer_list<const char*> truthNames{"ILSVRC2012_validation_ground_truth.txt",
                                                        "ILSVRC2014_clsloc_validation_ground_truth.txt",
                                                        "ILSVRC2015_clsloc_validation_ground_truth.txt"};
constexpr std::initializer_list<const char*> devkits{"",
                                                     "data",
                                                     "devkit/data",
                                                     "ILSVRC2012_devkit_t12/data",
                                                     "ILSVRC2014_devkit/data",
                                                     "ILSVRC2015_devkit/data",
                                                     "ILSVRC/devkit/data"};
constexpr std::initializer_list<const char*> annotations{
    "Annotations/CLS-LOC/val", "ILSVRC/Annotations/CLS-LOC/val", "ILSVRC2012_bbox_val_v3/val", "bbox_val/val"};
constexpr const char* solutionName = "LOC_val_solution.csv";

/// The synset that a copy of the data set has in its names: ILSVRC2012_val_00000001_n01751748.JPEG.
std::string synsetIn(const std::string& stem)
{
    const size_t at = prefix.size() + 9;
    const bool named = stem.size() > at && stem[at - 1] == '_' && isSynset(std::string_view(stem).substr(at));
    return named ? stem.substr(at) : std::string();
}

bool isValidationImage(const fs::path& path)
{
    const std::string name = path.stem().string();
    return kindBySuffix(path) == FileKind::Image && validationNumber(name) > 0
           && (name.size() == prefix.size() + 8 || !synsetIn(name).empty());
}

std::vector<fs::path> imagesIn(const fs::path& folder)
{
    std::vector<fs::path> images;
    for (const FolderEntry& entry : entriesOf(folder))
        if (isValidationImage(entry.path) && entry.kind == FolderEntry::Kind::File)
            images.push_back(entry.path);
    return images;
}

/// The first of these places, PLACE/NAME, in the folder or one above it that `isThere` accepts; empty if none.
std::string findNear(const fs::path& folder, std::initializer_list<const char*> places,
                     std::initializer_list<const char*> names, bool (*isThere)(const fs::path&) = isFile)
{
    fs::path above = fs::absolute(folder).lexically_normal();
    if (!above.has_filename())
        above = above.parent_path();
    for (int level = 0; level <= levelsAbove; ++level) {
        for (const char* place : places)
            for (const char* name : names)
                if (const fs::path path = above / place / name; isThere(path))
                    return path.string();
        if (above == above.parent_path())
            break;
        above = above.parent_path();
    }
    return {};
}

/// Images with the class name that `labelOf` returns for their stem; those without are counted.
template <typename LabelOf>
void addImages(LabelledSet& set, const std::vector<fs::path>& images, const std::string& list,
               const LabelOf& labelOf)
{
    std::vector<std::string> labels;
    for (const fs::path& image : images)
        labels.push_back(labelOf(image.stem().string()));
    std::vector<std::string> names = labels;
    std::erase(names, "");
    if (names.empty())
        throw FileError(set.root, "none of its images has a label in " + printable(list),
                        "give the list that belongs to them");
    set.classes = sortedClasses(std::move(names));
    LeftOut without;
    for (size_t i = 0; i < images.size(); ++i) {
        if (labels[i].empty())
            without.add(images[i].string());
        else
            set.files.push_back({images[i].string(), indexIn(set.classes, labels[i])});
    }
    set.notes.push_back("labels are from " + printable(list));
    keepIssue(set, "no_label", without, "image has no label there and is skipped",
              "images have no label there and are skipped");
}

/// The same with a table from stem to class name.
void addImages(LabelledSet& set, const std::vector<fs::path>& images, const std::string& list,
               const std::map<std::string, std::string>& labels)
{
    addImages(set, images, list, [&](const std::string& stem) {
        const auto found = labels.find(stem);
        return found == labels.end() ? std::string() : found->second;
    });
}

/// The devkit's list: its numbers are mapped by the table next to it, or else in the devkit's known order.
void addFromGroundTruth(LabelledSet& set, const std::vector<fs::path>& images, const std::string& truth)
{
    const std::string table = findNear(fs::path(truth).parent_path(), devkits,
                                       {"map_clsloc.txt", "synset_numbers.txt"});
    const auto numbers = parseGroundTruth(readListFile(truth), truth);
    std::map<int64_t, std::string> synsets;
    if (!table.empty())
        synsets = parseSynsetNumbers(readListFile(table), table);
    else
        for (const std::string& synset : imageNetClasses().devkit)
            synsets.emplace(std::ssize(synsets) + 1, synset);
    addImages(set, images, truth, [&](const std::string& stem) {
        const auto number = size_t(validationNumber(stem));
        if (number > numbers.size())
            return std::string();
        const auto synset = synsets.find(numbers[number - 1]);
        if (synset == synsets.end())
            throw FileError(table.empty() ? truth : table,
                            fmt::format("it has no class number {}, which is used in line {} of {}",
                                        numbers[number - 1], number, printable(truth)),
                            "the devkit's numbers are 1 to 1000");
        return synset->second;
    });
    set.notes.push_back("the devkit's class numbers are mapped "
                        + (table.empty() ? "in the order of the devkit of 2012" : "by " + printable(table)));
}

/// The synset of the first object of an annotation; empty if there is none.
std::string synsetOfAnnotation(const fs::path& file)
{
    if (!isFile(file))
        return {};
    const std::string text = readListFile(file.string());
    const size_t object = text.find("<object>"), name = text.find("<name>", std::min(object, text.size()));
    const size_t begin = name == std::string::npos ? text.size() : name + 6;
    const std::string word(trim(std::string_view(text).substr(begin, text.find('<', begin) - begin)));
    return isSynset(word) ? word : std::string();
}

/// What the validation set of ILSVRC 2012 is known to show.
void addKnown(LabelledSet& set, const std::vector<fs::path>& images)
{
    const auto& known = validationImages();
    addImages(set, images, "the program's own list of ILSVRC 2012's validation images",
              [&](const std::string& stem) {
                  const auto number = size_t(validationNumber(stem));
                  return number > known.size() ? std::string()
                                               : imageNetClasses().synsets[size_t(known[number - 1].label)];
              });
}

/// Lists of another order, or counted from 1, differ from what is known of the images.
void noteOtherLabels(LabelledSet& set)
{
    const auto& known = validationImages();
    int64_t others = 0;
    for (const LabelledFile& file : set.files) {
        const auto number = size_t(validationNumber(fs::path(file.path).stem().string()));
        const std::string& name = set.classes[size_t(file.label)];
        if (number > known.size() || !(isSynset(name) || isDigits(name)))
            continue;
        const int64_t label = known[number - 1].label;
        others += name != imageNetClasses().synsets[size_t(label)] && name != std::to_string(label) ? 1 : 0;
    }
    if (others > 0)
        set.notes.push_back(fmt::format("{} of its {} labels are not those of ILSVRC 2012's validation images",
                                        others, set.files.size()));
}

/// If classes are numbers, makes them labels in the order of their values: the set is then a list.
void takeNumbers(LabelledSet& set, const std::string& list)
{
    std::vector<int64_t> numbers;
    for (const std::string& name : set.classes) {
        numbers.push_back(parseNumber<int64_t>(name).value_or(maxClasses));
        if (numbers.back() >= maxClasses)
            throw FileError(list, "label " + printable(name) + " is too large",
                            "labels are numbers from 0 to 999999, or names");
    }
    relabel(set, numbers, numberedClasses(*std::ranges::max_element(numbers) + 1));
    set.root = list;
    set.layout = FolderLayout::List;
}

/// val.txt: indices in the order of sorted synsets, which are the model's own; or names of classes.
void addFromList(LabelledSet& set, const std::vector<fs::path>& images, const std::string& list)
{
    std::map<std::string, std::string> labels;
    bool numbers = true;
    for (const ListedSample& sample : parseLabelList(readListFile(list), list)) {
        labels[fs::path(sample.path).stem().string()] = sample.label;
        numbers = numbers && isDigits(sample.label);
    }
    addImages(set, images, list, labels);
    if (numbers)
        takeNumbers(set, list);
}

}

bool isFlatImageNet(const fs::path& folder)
{
    const auto entries = entriesOf(folder);
    return std::ranges::any_of(entries, isValidationImage);
}

LabelledSet scanFlatImageNet(const std::string& folder, const std::string& givenTruth)
{
    LabelledSet set;
    set.root = folder;
    set.layout = FolderLayout::ImageNet;
    const std::vector<fs::path> images = imagesIn(folder);
    const auto isNamed = [](const fs::path& image) { return !synsetIn(image.stem().string()).empty(); };
    if (!givenTruth.empty())
        addFromGroundTruth(set, images, givenTruth);
    else if (std::ranges::all_of(images, isNamed))
        addImages(set, images, "the images' names", synsetIn);
    else if (const std::string list = findNear(folder, devkits, {"val.txt", "val.csv"}); !list.empty())
        addFromList(set, images, list);
    else if (const std::string solution = findNear(folder, devkits, {solutionName}); !solution.empty())
        addImages(set, images, solution, parseKaggleSolution(readListFile(solution), solution));
    else if (const std::string truth = findNear(folder, devkits, truthNames); !truth.empty())
        addFromGroundTruth(set, images, truth);
    else if (const std::string place = findNear(folder, annotations, {""}, isFolder); !place.empty())
        addImages(set, images, place,
                  [&](const std::string& stem) { return synsetOfAnnotation(fs::path(place) / (stem + ".xml")); });
    else
        addKnown(set, images);
    noteOtherLabels(set);
    return set;
}

}

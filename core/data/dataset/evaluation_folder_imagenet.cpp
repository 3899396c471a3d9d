#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

constexpr const char* truthName = "ILSVRC2012_validation_ground_truth.txt";
constexpr const char* laterTruthName = "ILSVRC2015_clsloc_validation_ground_truth.txt";
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
    return kindBySuffix(path) == FileKind::Image && name.starts_with(prefix)
           && isDigits(std::string_view(name).substr(prefix.size(), 8))
           && (name.size() == prefix.size() + 8 || !synsetIn(name).empty());
}

std::vector<fs::path> imagesIn(const fs::path& folder)
{
    std::vector<fs::path> images;
    std::error_code unknown;
    for (const fs::directory_entry& entry : entriesOf(folder))
        if (isValidationImage(entry.path()) && entry.is_regular_file(unknown))
            images.push_back(entry.path());
    return images;
}

/// A file with one of these names in the folder, in the devkit's own folders, or in folders above; empty if none.
std::string findNear(const fs::path& folder, std::initializer_list<const char*> names)
{
    fs::path place = fs::absolute(folder).lexically_normal();
    if (!place.has_filename())
        place = place.parent_path();
    for (int level = 0; level <= levelsAbove; ++level) {
        for (const char* inner : {"", "data", "devkit/data", "ILSVRC2012_devkit_t12/data", "ILSVRC/devkit/data"})
            for (const char* name : names)
                if (const fs::path path = place / inner / name; isFile(path))
                    return path.string();
        if (place == place.parent_path())
            break;
        place = place.parent_path();
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

[[noreturn]] void refuseWithoutTable(const std::string& truth)
{
    throw FileError(truth,
                    "its numbers use the devkit's own class order, which is not the sorted order, and the table "
                    "of that order was "
                    "not found",
                    "put the devkit's map_clsloc.txt (lines `n02119789 1 kit_fox`) next to it, or use val.txt or "
                    "LOC_val_solution.csv");
}

void addFromGroundTruth(LabelledSet& set, const std::vector<fs::path>& images, const std::string& truth)
{
    const std::string table = findNear(fs::path(truth).parent_path(), {"map_clsloc.txt", "synset_numbers.txt"});
    if (table.empty())
        refuseWithoutTable(truth);
    const auto numbers = parseGroundTruth(readListFile(truth), truth);
    const auto synsets = parseSynsetNumbers(readListFile(table), table);
    addImages(set, images, truth, [&](const std::string& stem) {
        const auto number = parseNumber<size_t>(std::string_view(stem).substr(prefix.size(), 8)).value_or(0);
        if (number < 1 || number > numbers.size())
            return std::string();
        const auto synset = synsets.find(numbers[number - 1]);
        if (synset == synsets.end())
            throw FileError(table, fmt::format("it has no class number {}, which is used in line {} of {}",
                                               numbers[number - 1], number, printable(truth)));
        return synset->second;
    });
    set.notes.push_back("the devkit's class numbers are mapped by " + printable(table));
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

LabelledSet scanFlatImageNet(const std::string& folder)
{
    LabelledSet set;
    set.root = folder;
    set.layout = FolderLayout::ImageNet;
    const std::vector<fs::path> images = imagesIn(folder);
    if (std::ranges::all_of(images,
                            [](const fs::path& image) { return !synsetIn(image.stem().string()).empty(); }))
        addImages(set, images, "the images' names", synsetIn);
    else if (const std::string list = findNear(folder, {"val.txt", "val.csv"}); !list.empty())
        addFromList(set, images, list);
    else if (const std::string solution = findNear(folder, {solutionName}); !solution.empty())
        addImages(set, images, solution, parseKaggleSolution(readListFile(solution), solution));
    else if (const std::string truth = findNear(folder, {truthName, laterTruthName}); !truth.empty())
        addFromGroundTruth(set, images, truth);
    else
        throw FileError(folder, "its images are not in class folders, and no list of their labels was found",
                        fmt::format("put val.txt, {}, or {} with map_clsloc.txt next to them, or sort the images "
                                    "into one folder per synset",
                                    solutionName, truthName));
    return set;
}

}

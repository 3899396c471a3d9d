// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/flat_imagenet.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/file_kind.h"
#include "core/data/dataset/label_list.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "ILSVRC2012_val_";
/// Kaggle's archive has the images in ILSVRC/Data/CLS-LOC/val and the labels at its top.
constexpr int levelsAbove = 4;
constexpr std::int64_t mostClasses = 1'000'000;

constexpr const char* truthName = "ILSVRC2012_validation_ground_truth.txt";
constexpr const char* solutionName = "LOC_val_solution.csv";

bool isValidationImage(const fs::path& path)
{
    const std::string name = path.stem().string();
    return kindBySuffix(path) == FileKind::Image && name.size() == prefix.size() + 8 && name.starts_with(prefix)
           && std::all_of(name.begin() + prefix.size(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<fs::path> imagesIn(const fs::path& folder)
{
    std::vector<fs::path> images;
    std::error_code problem, unknown;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem))
        if (isValidationImage(entry->path()) && entry->is_regular_file(unknown))
            images.push_back(entry->path());
    std::sort(images.begin(), images.end());
    return images;
}

/// A file with one of these names in the folder, in the devkit's own folders, or in folders above; empty if none.
std::string findNear(const fs::path& folder, std::initializer_list<const char*> names)
{
    std::error_code unknown;
    fs::path place = fs::absolute(folder).lexically_normal();
    if (!place.has_filename())
        place = place.parent_path();
    for (int level = 0; level <= levelsAbove; ++level) {
        for (const char* inner : {"", "data", "devkit/data", "ILSVRC2012_devkit_t12/data"})
            for (const char* name : names)
                if (const fs::path path = place / inner / name; fs::is_regular_file(path, unknown))
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
    std::vector<std::pair<std::string, std::string>> labelled;
    std::set<std::string> names;
    std::size_t without = 0;
    for (const fs::path& image : images) {
        const std::string label = labelOf(image.stem().string());
        if (label.empty()) {
            ++without;
            continue;
        }
        names.insert(label);
        labelled.emplace_back(image.string(), label);
    }
    if (labelled.empty())
        throw FileError(set.root, "none of its images has a label in " + printable(list),
                        "give the list that belongs to them");
    set.classes.assign(names.begin(), names.end());
    for (const auto& [path, label] : labelled)
        set.files.push_back(
            {path, std::lower_bound(set.classes.begin(), set.classes.end(), label) - set.classes.begin()});
    set.notes.push_back("labels are from " + printable(list));
    if (without > 0)
        set.notes.push_back(fmt::format("{} images have no label there and are skipped", without));
}

LabelledSet withSolution(LabelledSet set, const std::vector<fs::path>& images, const std::string& list)
{
    const auto synsets = parseKaggleSolution(readListFile(list), list);
    addImages(set, images, list, [&](const std::string& stem) {
        const auto found = synsets.find(stem);
        return found == synsets.end() ? std::string() : found->second;
    });
    return set;
}

[[noreturn]] void refuseWithoutTable(const std::string& truth)
{
    throw FileError(truth,
                    "its numbers use the devkit's own class order, which is not the sorted order, and the table of that order was "
                    "not found",
                    "put the devkit's map_clsloc.txt (lines `n02119789 1 kit_fox`) next to it, or use val.txt or LOC_val_solution.csv");
}

LabelledSet withGroundTruth(LabelledSet set, const std::vector<fs::path>& images, const std::string& truth)
{
    const std::string table = findNear(fs::path(truth).parent_path(), {"map_clsloc.txt", "synset_numbers.txt"});
    if (table.empty())
        refuseWithoutTable(truth);
    const auto numbers = parseGroundTruth(readListFile(truth), truth);
    const auto synsets = parseSynsetNumbers(readListFile(table), table);
    addImages(set, images, truth, [&](const std::string& stem) {
        const auto number = parseNumber<std::size_t>(std::string_view(stem).substr(prefix.size())).value_or(0);
        if (number < 1 || number > numbers.size())
            return std::string();
        const auto synset = synsets.find(numbers[number - 1]);
        if (synset == synsets.end())
            throw FileError(table, fmt::format("it has no class number {}, which is used in line {} of {}",
                                               numbers[number - 1], number, printable(truth)));
        return synset->second;
    });
    set.notes.push_back("the devkit's class numbers are mapped by " + printable(table));
    return set;
}

/// If classes are numbers, makes them labels in the order of their values: the set is then a list.
void takeNumbers(LabelledSet& set, const std::string& list)
{
    std::vector<std::int64_t> numbers;
    std::int64_t largest = 0;
    for (const std::string& name : set.classes) {
        const std::int64_t number = parseNumber<std::int64_t>(name).value_or(mostClasses);
        if (number >= mostClasses)
            throw FileError(list, "label " + printable(name) + " is too large",
                            "labels are numbers from 0 to 999999, or names");
        numbers.push_back(number);
        largest = std::max(largest, number);
    }
    for (LabelledFile& file : set.files)
        file.label = numbers[static_cast<std::size_t>(file.label)];
    set.classes.clear();
    for (std::int64_t label = 0; label <= largest; ++label)
        set.classes.push_back(std::to_string(label));
    set.root = list;
    set.layout = FolderLayout::List;
}

/// val.txt: indices in the order of sorted synsets, which are the model's own; or names of classes.
LabelledSet withList(LabelledSet set, const std::vector<fs::path>& images, const std::string& list)
{
    std::map<std::string, std::string> labels;
    bool numbers = true;
    for (const ListedSample& sample : parseLabelList(readListFile(list), list)) {
        labels[fs::path(sample.path).stem().string()] = sample.label;
        numbers = numbers && std::all_of(sample.label.begin(), sample.label.end(), [](char c) {
                      return c >= '0' && c <= '9';
                  });
    }
    addImages(set, images, list, [&](const std::string& stem) {
        const auto found = labels.find(stem);
        return found == labels.end() ? std::string() : found->second;
    });
    if (numbers)
        takeNumbers(set, list);
    return set;
}

}  // namespace

bool isFlatImageNet(const std::string& folder)
{
    std::error_code problem;
    for (auto entry = fs::directory_iterator(folder, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem))
        if (isValidationImage(entry->path()))
            return true;
    return false;
}

LabelledSet scanFlatImageNet(const std::string& folder)
{
    LabelledSet set;
    set.root = folder;
    set.layout = FolderLayout::ImageNet;
    const std::vector<fs::path> images = imagesIn(folder);
    if (const std::string list = findNear(folder, {"val.txt"}); !list.empty())
        return withList(std::move(set), images, list);
    if (const std::string list = findNear(folder, {solutionName}); !list.empty())
        return withSolution(std::move(set), images, list);
    if (const std::string list = findNear(folder, {truthName}); !list.empty())
        return withGroundTruth(std::move(set), images, list);
    throw FileError(folder, "its images are not in class folders, and no list of their labels was found",
                    fmt::format("put val.txt, {}, or {} with map_clsloc.txt next to them, or sort the images into one folder per synset",
                                solutionName, truthName));
}

}  // namespace attnscope

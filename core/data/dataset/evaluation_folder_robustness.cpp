#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr int severities = 5;

/// A corruption's folder, also in a folder of its kind ("noise/gaussian_noise"), as it is distributed; empty if there is none.
fs::path corruptionIn(const fs::path& folder, const std::string& name)
{
    if (isFolder(folder / name))
        return folder / name;
    for (const fs::path& kind : entriesOf(folder))
        if (isFolder(kind / name))
            return kind / name;
    return {};
}

/// Adds what stands in another set.
void addSet(LabelledSet& set, LabelledSet part)
{
    const std::vector<std::string> before = set.classes;
    std::vector<std::string> all = before;
    all.insert(all.end(), part.classes.begin(), part.classes.end());
    all = sortedClasses(std::move(all));
    for (LabelledSet* each : {&set, &part}) {
        std::vector<int64_t> targets;
        for (const std::string& name : each->classes)
            targets.push_back(indexIn(all, name));
        relabel(*each, targets, all);
    }
    set.files.insert(set.files.end(), std::make_move_iterator(part.files.begin()),
                     std::make_move_iterator(part.files.end()));
    for (DataIssue& issue : part.issues) {
        const auto same = std::ranges::find(set.issues, issue.kind, &DataIssue::kind);
        if (same == set.issues.end()) {
            set.issues.push_back(std::move(issue));
            continue;
        }
        same->count += issue.count;
        for (std::string& name : issue.names)
            if (same->names.size() < DataIssue::kept)
                same->names.push_back(std::move(name));
    }
}

Json readMapping(const fs::path& file)
{
    Json json = jsonFromText(readListFile(file.string()));
    if (!json.is_object())
        throw FileError(file.string(), "is not a JSON object", "it comes with ObjectNet, in the folder mappings");
    return json;
}

/// Where ObjectNet's mappings are: in the folder or the one above it.
fs::path mappingsNear(const fs::path& folder)
{
    for (const fs::path& place :
         {folder, (fs::absolute(folder) / "x").lexically_normal().parent_path().parent_path()})
        if (isFile(place / "mappings" / "objectnet_to_imagenet_1k.json"))
            return place / "mappings";
    throw FileError(folder.string(), "its mappings to ImageNet's classes were not found",
                    "keep ObjectNet's folder mappings, with objectnet_to_imagenet_1k.json, next to its images");
}

/// ImageNet's class numbers for each folder of ObjectNet that has some.
std::map<std::string, std::vector<int64_t>> objectNetClasses(const fs::path& mappings)
{
    std::map<int64_t, int64_t> numbers;  // by the position in the list of names
    const Json positions = readMapping(mappings / "pytorch_to_imagenet_2012_id.json");
    for (const auto& [text, position] : positions.items())
        if (const auto number = parseNumber<int64_t>(text); number && position.is_number_integer())
            numbers[position.get<int64_t>()] = *number;
    std::map<std::string, int64_t> named;
    const fs::path list = mappings / "imagenet_to_label_2012_v2";
    const std::string text = readListFile(list.string());
    int64_t position = 0;
    for (const TextLine& line : linesOf(text, list.string()))
        if (const auto number = numbers.find(position++); number != numbers.end())
            named[std::string(line.text)] = number->second;
    const Json toImageNet = readMapping(mappings / "objectnet_to_imagenet_1k.json");
    const Json titles = readMapping(mappings / "folder_to_objectnet_label.json");
    std::map<std::string, std::vector<int64_t>> classes;
    for (const auto& [folder, title] : titles.items()) {
        const auto found = title.is_string() ? toImageNet.find(title.get<std::string>()) : toImageNet.end();
        if (found == toImageNet.end() || !found->is_string())
            continue;  // a class that ImageNet does not have
        for (const std::string_view name : split(found->get_ref<const std::string&>(), ';')) {
            const auto number = named.find(std::string(trim(name)));
            if (number == named.end() || number->second >= std::ssize(imageNetClasses().synsets))
                throw FileError(
                    (mappings / "objectnet_to_imagenet_1k.json").string(),
                    fmt::format("`{}` is not a class of {}", printable(trim(name)), list.filename().string()),
                    "use the mappings that came with the images");
            classes[folder].push_back(number->second);
        }
    }
    return classes;
}

}

LabelledSet scanCorruptions(const std::string& folder)
{
    LabelledSet set;
    set.root = folder;
    set.layout = FolderLayout::ImageNet;
    int found = 0;
    for (const Corruption& corruption : corruptions()) {
        const fs::path place = corruptionIn(folder, corruption.name);
        if (place.empty())
            continue;
        int levels = 0;
        for (int severity = 1; severity <= severities; ++severity)
            if (const fs::path level = place / std::to_string(severity); isFolder(level)) {
                addSet(set, scanLabelled(level.string(), FolderLayout::ImageNet));
                ++levels;
            }
        if (levels == 0)
            throw FileError(place.string(), "it has no severities",
                            "a corruption has a folder for each, 1 to 5, with class folders");
        found += levels;
    }
    if (found == 0)
        throw FileError(folder, "it contains none of ImageNet-C's corruptions",
                        "it must contain their folders, gaussian_noise to jpeg_compression");
    if (const auto all = int(corruptions().size()) * severities; found < all)
        set.notes.push_back(
            fmt::format("{} of the {} corruptions and severities are here; mCE needs all", found, all));
    return set;
}

LabelledSet scanObjectNet(const std::string& folder)
{
    const fs::path images = isFolder(fs::path(folder) / "images") ? fs::path(folder) / "images" : fs::path(folder);
    const auto numbers = objectNetClasses(mappingsNear(folder));
    LabelledSet set = scanLabelled(images.string(), FolderLayout::ImageNet);
    LeftOut others;
    std::vector<LabelledFile> files;
    for (LabelledFile& file : set.files) {
        const auto found = numbers.find(set.classes[size_t(file.label)]);
        if (found == numbers.end()) {
            others.add(file.path);
            continue;
        }
        file.label = found->second.front();
        file.otherLabels.assign(found->second.begin() + 1, found->second.end());
        files.push_back(std::move(file));
    }
    if (files.empty())
        throw FileError(folder, "none of its folders is a class of ObjectNet that ImageNet has",
                        "give the folder objectnet-1.0 with images and mappings");
    set.files = std::move(files);
    set.classes = imageNetClasses().synsets;
    for (const auto& [name, all] : numbers)
        set.choices.insert(set.choices.end(), all.begin(), all.end());
    std::ranges::sort(set.choices);
    set.border = 2;
    keepIssue(set, "other_class", others, "image is of a class that ImageNet does not have and is left out",
              "images are of classes that ImageNet does not have and are left out");
    return set;
}

}

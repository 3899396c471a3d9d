// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/match_classes.h"

#include "core/base/error.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace attnscope {

namespace {

constexpr std::int64_t unknown = -1;

std::vector<std::string> namesOf(const ModelClasses& model)
{
    return model.names.empty() ? numberedClasses(model.count) : model.names;
}

/// Index by comparable name; names shared by two classes are excluded.
std::unordered_map<std::string, std::int64_t> indexOf(const std::vector<std::string>& names)
{
    std::unordered_map<std::string, std::int64_t> index;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const auto [at, added] = index.emplace(comparableName(names[i]), static_cast<std::int64_t>(i)); !added)
            at->second = unknown;
    return index;
}

/// The model's class for each class of the set; `unknown` if undetermined.
std::vector<std::int64_t> targetsByName(const LabelledSet& set, const ModelClasses& model)
{
    const auto byKey = indexOf(model.keys), byName = indexOf(model.names);
    std::vector<std::int64_t> targets;
    for (const std::string& name : set.classes) {
        const std::string comparable = comparableName(name);
        const auto key = byKey.find(comparable), same = byName.find(comparable);
        targets.push_back(key != byKey.end() ? key->second : same != byName.end() ? same->second : unknown);
    }
    return targets;
}

/// For classes that stand for the model's of the same number.
void requireNumbers(const LabelledSet& set, const ModelClasses& model)
{
    std::int64_t largest = 0;
    for (const LabelledFile& file : set.files)
        largest = std::max(largest, file.label);
    if (largest >= model.count)
        throw FileError(set.root,
                        fmt::format("it has a class number {}, but {} has {} classes (0 to {})", largest, model.model,
                                    model.count, model.count - 1),
                        "choose the model that belongs to this data set");
}

[[noreturn]] void refuseNames(const LabelledSet& set, const ModelClasses& model,
                              const std::vector<std::string>& missing, std::int64_t used)
{
    throw FileError(set.root,
                    fmt::format("{} of its {} classes {} not among the {} of {}: {} (the model has {})",
                                missing.size(), used, missing.size() == 1 ? "is" : "are", model.count, model.model,
                                firstOf(missing, 3), firstOf(model.keys.empty() ? model.names : model.keys, 3)),
                    "rename the folders, choose the model that belongs to this data set, or give the model's class names with --labels");
}

LabelledSet byRank(LabelledSet set, const ModelClasses& model, const std::string& why)
{
    requireNumbers(set, model);
    set.notes.push_back(fmt::format("{}: the {} sorted names are assumed to be its classes 0 to {}", why,
                                    set.classes.size(), set.classes.size() - 1));
    // The set determines the names of its classes: the model's names stand for other things and would be wrong.
    std::vector<std::string> names = numberedClasses(model.count);
    std::copy_n(set.classes.begin(), std::min(set.classes.size(), names.size()), names.begin());
    set.classes = std::move(names);
    return set;
}

}  // namespace

std::string comparableName(const std::string& name)
{
    std::string comparable;
    for (const char c : name) {
        const bool blank = c == ' ' || c == '_' || c == '-' || c == '\t';
        if (c == '"' || c == '\'' || c == '[' || c == ']'
            || (blank && (comparable.empty() || comparable.back() == ' ')))
            continue;
        comparable += blank ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    if (!comparable.empty() && comparable.back() == ' ')
        comparable.pop_back();
    return comparable;
}

LabelledSet matchClasses(LabelledSet set, const ModelClasses& model)
{
    if (model.count == 0)
        throw UsageError(model.model, "it has no head, and so no classes",
                         "give it some with --class-embeddings, or evaluate its features with `attnscope-cli evaluate`");
    if (set.layout == FolderLayout::List && std::ranges::all_of(set.classes, isDigits)) {
        requireNumbers(set, model);
        set.classes = namesOf(model);
        return set;
    }
    if (model.names.empty() && model.keys.empty())
        return byRank(std::move(set), model, model.model + " does not name its classes");
    const std::vector<std::int64_t> targets = targetsByName(set, model);
    const std::vector<std::string> missing = untargeted(set, targets);
    const std::vector<bool> used = usedClasses(set);
    const auto count = std::count(used.begin(), used.end(), true);
    if (missing.empty()) {
        if (count < model.count)
            set.notes.push_back(
                fmt::format("{} of the model's {} classes are in the data set, matched by name", count, model.count));
        relabel(set, targets, namesOf(model));
        return set;
    }
    if (!model.trained)
        return byRank(std::move(set), model, "the weights are random and the names are not the model's");
    refuseNames(set, model, missing, count);
}

}  // namespace attnscope

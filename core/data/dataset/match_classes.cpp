// SPDX-License-Identifier: Apache-2.0
#include "core/data/dataset/match_classes.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace attnscope {

namespace {

constexpr std::int64_t unknown = -1;

bool isIndex(const std::string& text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<bool> usedClasses(const LabelledSet& set)
{
    std::vector<bool> used(set.classes.size());
    for (const LabelledFile& file : set.files)
        used.at(static_cast<std::size_t>(file.label)) = true;
    return used;
}

std::vector<std::string> namesOf(const ModelClasses& model)
{
    if (!model.names.empty())
        return model.names;
    std::vector<std::string> numbers;
    for (std::int64_t i = 0; i < model.count; ++i)
        numbers.push_back(std::to_string(i));
    return numbers;
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

std::vector<std::int64_t> targetsByRank(const LabelledSet& set)
{
    std::vector<std::int64_t> targets;
    for (std::int64_t label = 0; label < std::ssize(set.classes); ++label)
        targets.push_back(label);
    return targets;
}

std::string some(const std::vector<std::string>& names)
{
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + std::min<std::ptrdiff_t>(3, std::ssize(names)));
    return joinWords(first, "and") + (names.size() > first.size() ? " …" : "");
}

/// The model's classes as an example of valid names.
std::string exampleOf(const ModelClasses& model)
{
    const std::vector<std::string>& names = model.keys.empty() ? model.names : model.keys;
    std::vector<std::string> first;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i)
        first.push_back(printable(names[i]));
    return joinWords(first, "and") + (names.size() > first.size() ? " …" : "");
}

[[noreturn]] void refuseTooMany(const LabelledSet& set, const ModelClasses& model, std::int64_t largest)
{
    throw FileError(set.root,
                    fmt::format("it has a class number {}, but {} has {} classes (0 to {})", largest, model.model,
                                model.count, model.count - 1),
                    "choose the model that belongs to this data set");
}

[[noreturn]] void refuseNames(const LabelledSet& set, const ModelClasses& model,
                              const std::vector<std::string>& missing, std::size_t used)
{
    throw FileError(set.root,
                    fmt::format("{} of its {} classes {} not among the {} of {}: {} (the model has {})",
                                missing.size(), used, missing.size() == 1 ? "is" : "are", model.count, model.model,
                                some(missing), exampleOf(model)),
                    "rename the folders, choose the model that belongs to this data set, or give the model's class names with --labels");
}

std::int64_t largestUsed(const std::vector<bool>& used)
{
    for (std::int64_t label = std::ssize(used) - 1; label >= 0; --label)
        if (used[static_cast<std::size_t>(label)])
            return label;
    return 0;
}

LabelledSet relabelled(LabelledSet set, const ModelClasses& model, const std::vector<std::int64_t>& targets)
{
    for (LabelledFile& file : set.files)
        file.label = targets[static_cast<std::size_t>(file.label)];
    set.classes = namesOf(model);
    return set;
}

LabelledSet byRank(LabelledSet set, const ModelClasses& model, const std::vector<bool>& used,
                   const std::string& why)
{
    if (const std::int64_t largest = largestUsed(used); largest >= model.count)
        refuseTooMany(set, model, largest);
    set.notes.push_back(fmt::format("{}: the {} sorted names are assumed to be its classes 0 to {}", why,
                                    set.classes.size(), set.classes.size() - 1));
    // The set determines the names of its classes: the model's names stand for other things and would be wrong.
    std::vector<std::string> names = namesOf({model.model, model.count, {}, {}, model.trained});
    std::copy(set.classes.begin(), set.classes.begin() + std::min(std::ssize(set.classes), std::ssize(names)), names.begin());
    const auto targets = targetsByRank(set);
    set = relabelled(std::move(set), model, targets);
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
    const std::vector<bool> used = usedClasses(set);
    const bool numbers = set.layout == FolderLayout::List
                         && std::all_of(set.classes.begin(), set.classes.end(), isIndex);
    if (numbers) {
        if (const std::int64_t largest = largestUsed(used); largest >= model.count)
            refuseTooMany(set, model, largest);
        const auto targets = targetsByRank(set);
        return relabelled(std::move(set), model, targets);
    }
    if (model.names.empty() && model.keys.empty())
        return byRank(std::move(set), model, used, model.model + " does not name its classes");
    const std::vector<std::int64_t> targets = targetsByName(set, model);
    std::vector<std::string> missing;
    std::size_t count = 0;
    for (std::size_t label = 0; label < used.size(); ++label) {
        count += used[label] ? 1 : 0;
        if (used[label] && targets[label] == unknown)
            missing.push_back(printable(set.classes[label]));
    }
    if (missing.empty()) {
        if (count < static_cast<std::size_t>(model.count))
            set.notes.push_back(
                fmt::format("{} of the model's {} classes are in the data set, matched by name", count, model.count));
        return relabelled(std::move(set), model, targets);
    }
    if (!model.trained)
        return byRank(std::move(set), model, used, "the weights are random and the names are not the model's");
    refuseNames(set, model, missing, count);
}

}  // namespace attnscope

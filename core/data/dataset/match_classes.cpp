#include "core/data/dataset/match_classes.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"
#include "core/media/container/natural_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace attnscope {

namespace {

constexpr int64_t unknown = -1, ambiguous = -2;

std::vector<std::string> namesOf(const ModelClasses& model)
{
    return model.names.empty() ? numberedClasses(model.count) : model.names;
}

/// The model's classes by comparable name, and by each of the names that a name lists ("Irish setter, red setter").
class ClassIndex {
public:
    explicit ClassIndex(const std::vector<std::string>& names)
    {
        for (size_t i = 0; i < names.size(); ++i) {
            add(m_whole, names[i], static_cast<int64_t>(i));
            // "crane (n02012849)" is one of two cranes.
            const std::string_view name = names[i], plain = name.substr(0, name.find(" (n"));
            for (const std::string_view part : split(plain, ','))
                add(m_parts, part, static_cast<int64_t>(i));
        }
    }

    /// The class of a name, or else the one that all known names among those it lists agree on; `unknown` or `ambiguous`.
    int64_t find(const std::string& name) const
    {
        int64_t found = at(m_whole, name);
        if (found == unknown)
            for (const std::string_view part : split(name, ','))
                if (const int64_t one = at(m_parts, part); one != unknown)
                    found = found == unknown || found == one ? one : ambiguous;
        return found;
    }

private:
    using Index = std::unordered_map<std::string, int64_t>;

    static void add(Index& index, std::string_view name, int64_t number)
    {
        if (const auto [at, added] = index.emplace(comparableName(std::string(name)), number);
            !added && at->second != number)
            at->second = ambiguous;
    }

    static int64_t at(const Index& index, std::string_view name)
    {
        const auto found = index.find(comparableName(std::string(name)));
        return found == index.end() ? unknown : found->second;
    }

    Index m_whole, m_parts;
};

/// The model with synsets and names apart, where its names begin with synsets ("n02119789 kit fox, Vulpes macrotis").
ModelClasses withKeys(ModelClasses model)
{
    constexpr size_t length = 9;
    const auto hasKey = [](const std::string& name) {
        return isSynset(std::string_view(name).substr(0, name.find_first_of(" \t")));
    };
    if (model.names.empty() || !model.keys.empty() || !std::ranges::all_of(model.names, hasKey))
        return model;
    for (std::string& name : model.names) {
        model.keys.push_back(name.substr(0, length));
        if (const std::string_view rest = trim(std::string_view(name).substr(length)); !rest.empty())
            name = std::string(rest);
    }
    return model;
}

/// The model's class for each class of the set; negative if undetermined.
std::vector<int64_t> targetsByName(const LabelledSet& set, const ModelClasses& model)
{
    const ClassIndex byKey(model.keys), byName(model.names);
    std::vector<int64_t> targets;
    for (const std::string& name : set.classes) {
        const int64_t key = byKey.find(name);
        targets.push_back(key != unknown ? key : byName.find(name));
    }
    return targets;
}

/// The same for classes that are named by the model's numbers.
std::vector<int64_t> targetsByNumber(const LabelledSet& set, const ModelClasses& model)
{
    std::vector<int64_t> targets;
    for (const std::string& name : set.classes)
        targets.push_back(isDigits(name) ? parseNumber<int64_t>(name, 0, model.count - 1).value_or(unknown)
                                         : unknown);
    return targets;
}

/// A set that numbers its classes as the model does names some of them otherwise, or two alike (Hugging Face's "crane"): where all names
/// that are known have their own numbers, and most are, the others are the model's of the same number.
void completeByNumber(LabelledSet& set, const ModelClasses& model, std::vector<int64_t>& targets)
{
    int64_t known = 0;
    for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] >= 0 && targets[i] != int64_t(i))
            return;
        known += targets[i] >= 0 ? 1 : 0;
    }
    const auto all = std::ssize(targets);
    if (all != model.count || known == all || 2 * known < all)
        return;
    for (size_t i = 0; i < targets.size(); ++i)
        targets[i] = int64_t(i);
    set.notes.push_back(fmt::format(
        "{} of its {} classes are named as the model's of the same number; so are the others assumed to be", known,
        all));
}

/// For classes that stand for the model's of the same number.
void requireNumbers(const LabelledSet& set, const ModelClasses& model)
{
    int64_t largest = 0;
    for (const LabelledFile& file : set.files)
        largest = std::max(largest, file.label);
    if (largest >= model.count)
        throw FileError(set.root,
                        fmt::format("it has a class number {}, but {} has {} classes (0 to {})", largest,
                                    model.model, model.count, model.count - 1),
                        largest == model.count
                            ? "count classes from 0, or choose the model that belongs to this data set"
                            : "choose the model that belongs to this data set");
}

[[noreturn]] void refuseNames(const LabelledSet& set, const ModelClasses& model,
                              const std::vector<int64_t>& targets)
{
    const std::vector<bool> used = usedClasses(set);
    for (size_t i = 0; i < used.size(); ++i)
        if (used[i] && targets[i] == ambiguous)
            throw FileError(
                set.root,
                fmt::format("`{}` is the name of several classes of {}", printable(set.classes[i]), model.model),
                model.keys.empty() ? "give names that differ with --labels"
                                   : "name it by its synset, such as " + model.keys.front());
    const std::vector<std::string> missing = untargeted(set, targets);
    throw FileError(set.root,
                    fmt::format("{} of its {} {} not among the {} of {}: {} (the model has {})", missing.size(),
                                counted(std::ranges::count(used, true), "class", "classes"),
                                missing.size() == 1 ? "is" : "are", model.count, model.model, firstOf(missing, 3),
                                firstOf(model.keys.empty() ? model.names : model.keys, 3)),
                    "rename the folders, choose the model that belongs to this data set, or give the model's "
                    "class names with --labels");
}

/// Whether everybody who sorts these names gets the same order: as bytes, with or without case, and with digits as numbers.
bool sortsOneWay(const std::vector<std::string>& classes)
{
    std::vector<std::string> lower = classes;
    for (std::string& name : lower)
        std::ranges::transform(name, name.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return std::ranges::is_sorted(classes) && std::ranges::is_sorted(lower)
           && std::ranges::is_sorted(lower, naturallyBefore);
}

/// For a model without names: throws FileError where the position of a class in the set is not surely its number in the model.
void requireSurePositions(const LabelledSet& set, const ModelClasses& model)
{
    const std::string unnamed = model.model + " does not name its " + counted(model.count, "class", "classes");
    const auto refuse = [&](const std::string& problem) {
        throw FileError(set.root, problem + ", so which they are is unknown",
                        "give the model's class names, one per line in its own order, with --labels");
    };
    if (std::ssize(set.classes) != model.count)
        refuse(unnamed + ", and the data set has " + std::to_string(set.classes.size()));
    if (!set.numbered && !sortsOneWay(set.classes))
        refuse(unnamed + ", and those of the data set sort differently as text and as numbers: "
               + firstOf(set.classes, 3));
}

LabelledSet byPosition(LabelledSet set, const ModelClasses& model, const std::string& why)
{
    requireNumbers(set, model);
    set.notes.push_back(fmt::format("{}: the {} {} are assumed to be its classes 0 to {}", why, set.classes.size(),
                                    set.numbered ? "classes as the data set numbers them" : "sorted names",
                                    set.classes.size() - 1));
    // The set determines the names of its classes: the model's names stand for other things and would be wrong.
    std::vector<std::string> names = numberedClasses(model.count);
    std::copy_n(set.classes.begin(), std::min(set.classes.size(), names.size()), names.begin());
    set.classes = std::move(names);
    return set;
}

}

std::string comparableName(const std::string& name)
{
    std::string comparable;
    for (const char c : name) {
        const bool blank = c == ' ' || c == '_' || c == '-' || c == '\t';
        if (c == '"' || c == '\'' || c == '[' || c == ']'
            || (blank && (comparable.empty() || comparable.back() == ' ')))
            continue;
        comparable += blank ? ' ' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    }
    if (!comparable.empty() && comparable.back() == ' ')
        comparable.pop_back();
    return comparable;
}

std::vector<int64_t> sameClasses(const ModelClasses& first, const ModelClasses& second)
{
    const ModelClasses ours = withKeys(first), theirs = withKeys(second);
    if (ours.names.empty() || theirs.names.empty())
        return {};
    if (ours.names == theirs.names) {  // also those of which two have one name
        std::vector<int64_t> all(ours.names.size());
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    const bool byKey = !ours.keys.empty() && !theirs.keys.empty();
    const ClassIndex index(byKey ? theirs.keys : theirs.names);
    std::vector<int64_t> same;
    for (const std::string& name : byKey ? ours.keys : ours.names)
        same.push_back(std::max(index.find(name), unknown));
    const std::vector<int64_t> found = same;
    for (int64_t& number : same)  // of two that are one class there, neither is
        if (std::ranges::count(found, number) > 1)
            number = unknown;
    return std::ranges::all_of(same, [](int64_t number) { return number == unknown; }) ? std::vector<int64_t>()
                                                                                       : same;
}

std::vector<int64_t> numbersOf(const std::vector<std::string>& names, const ModelClasses& model)
{
    const ClassIndex byKey(model.keys), byName(model.names);
    std::vector<int64_t> numbers;
    for (const std::string& name : names) {
        const int64_t key = byKey.find(name);
        numbers.push_back(std::max(key != unknown ? key : byName.find(name), unknown));
    }
    return numbers;
}

LabelledSet matchClasses(LabelledSet set, const ModelClasses& given)
{
    const ModelClasses model = withKeys(given);
    if (model.count == 0)
        throw UsageError(
            model.model, "it has no head, and so no classes",
            "give it some with --class-embeddings, or evaluate its features with `attnscope-cli evaluate`");
    if ((set.layout == FolderLayout::List || set.numbered) && std::ranges::all_of(set.classes, isDigits)) {
        requireNumbers(set, model);
        if (!set.files.empty() && std::ranges::min(set.files, {}, &LabelledFile::label).label == 1)
            set.notes.emplace_back(
                "no sample is of class 0: if the list counts classes from 1, every label is wrong by one");
        set.classes = namesOf(model);
        return set;
    }
    if (model.names.empty() && model.keys.empty()) {
        if (model.trained)
            requireSurePositions(set, model);
        return byPosition(std::move(set), model, model.model + " does not name its classes");
    }
    std::vector<int64_t> targets = targetsByName(set, model);
    if (set.numbered)
        completeByNumber(set, model, targets);
    // ImageNet-V2's folders are the numbers of ImageNet's classes.
    const bool isOfImageNet = !model.keys.empty() && model.count <= std::ssize(imageNetClasses().synsets);
    if (const auto numbers = targetsByNumber(set, model);
        isOfImageNet && !untargeted(set, targets).empty() && untargeted(set, numbers).empty()) {
        targets = numbers;
        const auto first = size_t(set.files.front().label);
        set.notes.push_back(
            fmt::format("classes are named by numbers, which are assumed to be the model's: {} is {}",
                        set.classes[first], namesOf(model)[size_t(targets[first])]));
    }
    if (untargeted(set, targets).empty()) {
        const std::vector<bool> used = usedClasses(set);
        if (const auto count = std::ranges::count(used, true); count < model.count)
            set.notes.push_back(fmt::format("{} of the model's {} classes are in the data set, matched by name",
                                            count, model.count));
        relabel(set, targets, namesOf(model));
        return set;
    }
    if (!model.trained)
        return byPosition(std::move(set), model, "the weights are random and the names are not the model's");
    refuseNames(set, model, targets);
}

}

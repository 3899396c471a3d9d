#include "core/data/dataset/protocol.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/labelled_folder_parts.h"
#include "core/data/dataset/list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

constexpr const char *corrupted = "imagenet-c", *outliers = "imagenet-o", *objects = "objectnet",
                     *reassessed = "real", *wholeImageNet = "imagenet-21k", *kitchens = "epic100";

bool startsLike(const std::string& name, std::initializer_list<const char*> starts)
{
    return std::ranges::any_of(starts, [&](const char* start) { return name.starts_with(start); });
}

/// Whether its classes are the 1000 of ILSVRC 2012, or some of them.
bool isOfImageNet(const std::string& protocol)
{
    return protocol != wholeImageNet && startsLike(protocol, {"imagenet", objects, reassessed});
}

/// The number of classes of a set of videos; 0 for images.
int64_t videoClasses(const std::string& protocol)
{
    return protocol == "k400"       ? 400
           : protocol == "k600"     ? 600
           : protocol == "k700"     ? 700
           : protocol == "ssv2"     ? 174
           : protocol == "diving48" ? 48
           : protocol == kitchens   ? kitchenVerbs * kitchenNouns
                                    : 0;
}

/// Classes that are numbers of ImageNet's as its synsets.
void nameBySynset(LabelledSet& set)
{
    const std::vector<std::string>& synsets = imageNetClasses().synsets;
    const auto number = [&](const std::string& name) {
        return isDigits(name) ? parseNumber<int64_t>(name, 0, std::ssize(synsets) - 1) : std::nullopt;
    };
    if (std::ranges::all_of(set.classes, [&](const std::string& name) { return number(name).has_value(); }))
        for (std::string& name : set.classes)
            name = synsets[size_t(*number(name))];
}

/// The right classes of ReaL instead of the set's own.
void takeReassessed(LabelledSet& set)
{
    const auto& known = validationImages();
    std::vector<LabelledFile> files;
    LeftOut without;
    for (LabelledFile& file : set.files) {
        const int64_t number = validationNumber(fs::path(file.path).stem().string());
        if (number < 1 || number > std::ssize(known))
            throw FileError(set.root,
                            printable(fs::path(file.path).filename().string())
                                + " is no image of ILSVRC 2012's validation set, of which ReaL has labels",
                            "their names are ILSVRC2012_val_00000001.JPEG to ILSVRC2012_val_00050000.JPEG");
        const ValidationImage& image = known[size_t(number - 1)];
        if (image.right.empty()) {
            without.add(file.path);
            continue;
        }
        // Of several right classes the original one is the label, if it is among them.
        file.otherLabels = image.right;
        const auto own = std::ranges::find(file.otherLabels, image.label);
        file.label = own == file.otherLabels.end() ? file.otherLabels.front() : *own;
        std::erase(file.otherLabels, file.label);
        files.push_back(std::move(file));
    }
    set.files = std::move(files);
    set.classes = imageNetClasses().synsets;
    set.layout = FolderLayout::ImageNet;
    keepIssue(set, "no_label", without, "image has no right class in ReaL and does not count",
              "images have no right class in ReaL and do not count");
}

/// Adds the images of these classes from another set.
void addInDistribution(LabelledSet& set, const EvaluationSource& source)
{
    if (source.inDistribution.empty())
        throw UsageError("--protocol", "ImageNet-O tells outliers from images of its classes, which are elsewhere",
                         "give ImageNet's validation set with --in-distribution");
    LabelledSet known = scanEvaluation(source.inDistribution, FolderLayout::Auto);
    nameBySynset(known);
    LeftOut others;
    for (LabelledFile& file : known.files) {
        const std::string& name = known.classes[size_t(file.label)];
        const auto number = std::ranges::find(set.classes, name) - set.classes.begin();
        if (number == std::ssize(set.classes))
            others.add(file.path);
        else
            set.files.push_back({fs::absolute(file.path).lexically_normal().string(), number});
    }
    if (others.count == std::ssize(known.files))
        throw FileError(source.inDistribution, "it has no image of the classes of " + printable(set.root),
                        "give ImageNet's validation set");
    keepIssue(set, "other_class", others, "image in distribution is of another class and is left out",
              "images in distribution are of other classes and are left out");
}

LabelledSet scanAs(const EvaluationSource& source)
{
    if (source.protocol == corrupted)
        return scanCorruptions(source.place);
    if (source.protocol == objects)
        return scanObjectNet(source.place);
    if (source.protocol == kitchens)
        return scanKitchens(source.place, source.labelsFile);
    EvaluationSource plain = source;
    plain.protocol.clear();
    return scanEvaluation(plain);
}

/// "take plate" where the names of both heads' classes are known, else their numbers.
std::vector<std::string> namesOfPairs(const std::vector<int64_t>& heads, std::vector<std::string> names)
{
    if (std::ssize(names) != heads[0] + heads[1]) {
        names = numberedClasses(heads[0]);
        for (std::string& second : numberedClasses(heads[1]))
            names.push_back(std::move(second));
    }
    std::vector<std::string> pairs;
    for (int64_t pair = 0; pair < heads[0] * heads[1]; ++pair)
        pairs.push_back(names[size_t(pair / heads[1])] + " " + names[size_t(heads[0] + pair % heads[1])]);
    return pairs;
}

std::vector<std::string> synsetsOf(const std::vector<int64_t>& numbers)
{
    std::vector<std::string> names;
    for (const int64_t number : numbers)
        names.push_back(imageNetClasses().synsets[size_t(number)]);
    return names;
}

/// Classes of the model among which this protocol predicts; empty: all, or those that the set has stated.
std::vector<int64_t> choicesOf(const LabelledSet& set, const ModelClasses& model)
{
    const ImageNetClasses& classes = imageNetClasses();
    std::vector<int64_t> choices;
    if (set.protocol == "imagenet-a")
        choices = numbersOf(synsetsOf(classes.a), model);
    else if (set.protocol == "imagenet-r")
        choices = numbersOf(synsetsOf(classes.r), model);
    else if (set.protocol == outliers)
        for (const LabelledFile& file : set.files)
            choices.push_back(file.label);
    else if (model.count != std::ssize(classes.synsets))
        choices = numbersOf(classes.synsets, model);
    std::erase(choices, -1);
    return sortedClasses(std::move(choices));
}

void requireChosen(const LabelledSet& set, const Protocol& protocol)
{
    for (const LabelledFile& file : set.files)
        if (!std::ranges::binary_search(set.choices, file.label))
            throw FileError(set.root,
                            fmt::format("its class {} is none of the {} of {}, so this is another data set",
                                        printable(set.classes[size_t(file.label)]), set.choices.size(),
                                        protocol.title),
                            "give that data set, or leave out --protocol");
}

/// The model with the synsets of its classes. Throws UsageError for a model of other classes.
ModelClasses withSynsets(ModelClasses model, const Protocol& protocol)
{
    const std::vector<std::string>& synsets = imageNetClasses().synsets;
    if (model.keys.empty() && model.count == std::ssize(synsets))
        model.keys = synsets;
    if (model.keys.empty() || std::ranges::count(numbersOf(synsets, model), -1) == std::ssize(synsets))
        throw UsageError("--protocol",
                         fmt::format("{} is for networks with ImageNet's classes; {} has {}", protocol.title,
                                     model.model, counted(model.count, "class", "classes")),
                         "leave it out, or choose a network for ImageNet");
    return model;
}

}

const std::vector<Protocol>& protocols()
{
    static const std::vector<Protocol> all{
        {"imagenet", "ImageNet-1k", "ILSVRC 2012's validation images; of heads with more classes its 1000",
         "Russakovsky et al., IJCV 2015", 50'000},
        {"imagenet-v2", "ImageNet-V2", "new test images of the 1000 classes, in folders 0 to 999",
         "Recht et al., ICML 2019", 10'000},
        {"imagenet-a", "ImageNet-A", "200 classes; logits of the other 800 are left out",
         "Hendrycks et al., Natural Adversarial Examples, CVPR 2021", 7'500},
        {"imagenet-r", "ImageNet-R", "renditions of 200 classes; logits of the other 800 are left out",
         "Hendrycks et al., The Many Faces of Robustness, ICCV 2021", 30'000},
        {outliers, "ImageNet-O",
         "outliers, told from ImageNet's images of the same 200 classes by the largest softmax among these; the "
         "area "
         "under precision and recall",
         "Hendrycks et al., Natural Adversarial Examples, CVPR 2021", 0},
        {"imagenet-sketch", "ImageNet-Sketch", "sketches of the 1000 classes", "Wang et al., NeurIPS 2019",
         50'889},
        {corrupted, "ImageNet-C",
         "15 corruptions of ImageNet-1k, 5 severities each; errors relative to AlexNet's, and their mean (mCE)",
         "Hendrycks and Dietterich, ICLR 2019", 3'750'000},
        {objects, "ObjectNet",
         "the classes that ImageNet has too, by the data set's own mappings, logits of others left out; 2 pixels "
         "are "
         "cut off at each edge",
         "Barbu et al., NeurIPS 2019", 18'574},
        {reassessed, "ReaL",
         "ILSVRC 2012's validation images with all classes that they show; those without do not count",
         "Beyer et al., Are we done with ImageNet?, 2020", 46'837},
        {wholeImageNet, "ImageNet-21k", "images in folders named by synsets, among all classes of the head",
         "Deng et al., CVPR 2009; Ridnik et al., NeurIPS 2021", 0},
        {"k400", "Kinetics-400", "10 clips × 3 crops of each video", "Kay et al., 2017", 0},
        {"k600", "Kinetics-600", "10 clips × 3 crops of each video", "Carreira et al., 2018", 0},
        {"k700", "Kinetics-700", "10 clips × 3 crops of each video", "Carreira et al., 2019", 0},
        {"ssv2", "Something-Something v2", "one clip over the whole video × 3 crops", "Goyal et al., ICCV 2017",
         24'777},
        {"diving48", "Diving-48 V2", "one clip over the whole video × 3 crops", "Li et al., ECCV 2018", 1'970},
        {kitchens, "EPIC-KITCHENS-100",
         "10 clips × 3 crops of each action's segment; an action is a verb and a noun, its probability the "
         "product "
         "of theirs",
         "Damen et al., IJCV 2022", 9'668}};
    return all;
}

const Protocol& protocolNamed(const std::string& name)
{
    const auto found = std::ranges::find(protocols(), name, &Protocol::name);
    if (found == protocols().end())
        throw UsageError("--protocol", "`" + printable(name) + "` is an unknown protocol",
                         "use " + joinWords(namesOf(protocols())));
    return *found;
}

LabelledSet scanProtocol(const EvaluationSource& source)
{
    const Protocol& protocol = protocolNamed(source.protocol);
    if (!source.inDistribution.empty() && source.protocol != outliers)
        throw UsageError("--in-distribution", "it belongs to the protocol imagenet-o", "leave it out");
    LabelledSet set = scanAs(source);
    const int64_t classes = videoClasses(source.protocol);
    if (set.video != (classes > 0))
        throw FileError(source.place,
                        fmt::format("it contains {}, and {} is a set of {}", set.video ? "videos" : "images",
                                    protocol.title, classes > 0 ? "videos" : "images"),
                        "give that data set, or leave out --protocol");
    if (classes > 0 && std::ssize(set.classes) > classes)
        throw FileError(
            source.place,
            fmt::format("it has {} classes, and {} has {}", set.classes.size(), protocol.title, classes),
            "give that data set, or leave out --protocol");
    set.protocol = source.protocol;
    set.wholeVideos = source.protocol == "ssv2" || source.protocol == "diving48";
    if (isOfImageNet(source.protocol))
        nameBySynset(set);
    const auto found = std::ssize(set.files);
    if (source.protocol == reassessed)
        takeReassessed(set);
    if (source.protocol == outliers)
        addInDistribution(set, source);
    std::string note = fmt::format("{}: {} ({})", protocol.title, protocol.description, protocol.source);
    if (protocol.samples > 0 && protocol.samples != std::ssize(set.files))
        note += fmt::format("; {} of its {} samples are here", set.files.size(), protocol.samples);
    if (source.protocol == outliers)
        note += fmt::format("; {} outliers of 2000", found);
    set.notes.insert(set.notes.begin(), note);
    return set;
}

LabelledSet matchProtocol(LabelledSet set, const ModelClasses& given)
{
    if (set.protocol.empty())
        return matchClasses(std::move(set), given);
    if (!set.heads.empty()) {
        set.classes = namesOfPairs(set.heads, given.names);
        return set;
    }
    const Protocol& protocol = protocolNamed(set.protocol);
    const int64_t videos = videoClasses(set.protocol);
    if (videos > 0 && given.count != videos)
        throw UsageError(
            "--protocol",
            fmt::format("{} has {} classes; {} has {}", protocol.title, videos, given.model, given.count),
            "leave it out, or choose a network for this data set");
    if (!isOfImageNet(set.protocol))
        return matchClasses(std::move(set), given);
    const ModelClasses model = withSynsets(given, protocol);
    set = matchClasses(std::move(set), model);
    if (std::vector<int64_t> choices = choicesOf(set, model); !choices.empty())
        set.choices = std::move(choices);
    if (!set.choices.empty())
        requireChosen(set, protocol);
    return set;
}

bool hasGroups(const std::string& protocol)
{
    return protocol == corrupted || protocol == outliers;
}

std::string protocolGroup(const std::string& protocol, const std::string& storedPath)
{
    if (protocol == outliers)
        return fs::path(storedPath).is_absolute() ? "in-distribution" : outlierGroup;
    if (protocol != corrupted)
        return {};
    const fs::path path(storedPath);
    for (auto part = path.begin(); part != path.end() && std::next(part) != path.end(); ++part)
        if (std::ranges::find(corruptions(), part->string(), &Corruption::name) != corruptions().end()
            && isDigits(std::next(part)->string()))
            return part->string() + "/" + std::next(part)->string();
    return {};
}

}

#include "models/weights/described_checkpoint.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/checkpoint/json_file.h"
#include "models/labels/known_labels.h"
#include "models/weights/leftovers.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

using Description = std::unique_ptr<ModelDescription>;

std::vector<std::string> modelNames()
{
    std::vector<std::string> names;
    for (const NamedModel& model : namedModels())
        names.push_back(model.description->name());
    return names;
}

Json readJsonFile(const std::string& path, const Limits& limits)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        throw FileError(path, "it is not a file",
                        "give a JSON model description or one of the names of `attnscope-cli models`");
    if (fs::file_size(path, error) > static_cast<std::uintmax_t>(limits.jsonBytes) || error)
        throw FileError(path, "it is too large for a model description", "a description is a few lines of JSON");
    Json json = readJson(path, limits.jsonBytes);
    if (json.is_discarded())
        throw FileError(path, "it is not valid JSON", "give an object with family, embed_dim, depth and so on");
    return json;
}

Description descriptionFromFile(const std::string& path, const Limits& limits)
{
    const Json json = readJsonFile(path, limits);
    const bool nested = json.is_object() && json.contains("config");
    Description description = parseDescription(nested ? json["config"] : json, path);
    if (description->name().empty()) {
        const Json name = json.value("case", Json());
        description->setName(name.is_string() ? name.get<std::string>() : fs::path(path).stem().string());
    }
    return description;
}

bool namesAFile(const std::string& model)
{
    std::error_code error;
    return model.find('/') != std::string::npos || fs::path(model).extension() == ".json"
           || fs::exists(model, error);
}

/// By a name of the catalogue or a JSON file.
std::unique_ptr<ModelDescription> describedBy(const ModelRequest& request)
{
    if (const NamedModel* model = findModel(request.model))
        return model->description->clone();
    if (namesAFile(request.model))
        return descriptionFromFile(request.model, request.limits);
    throw UsageError("", "unknown model `" + printable(request.model) + "`",
                     "the closest names are " + joinWords(nearestWords(request.model, modelNames()), "and")
                         + "; `attnscope-cli models` lists all of them, and a JSON description also works");
}

[[noreturn]] void refuseFamily(const std::string& file, const CheckpointIdentity& identity)
{
    if (!identity.title.empty())
        throw Unsupported(file,
                          "it is a checkpoint of " + identity.title
                              + (identity.reason.empty() ? "" : " (" + identity.reason + ")"),
                          identity.title.find("config.json") != std::string::npos
                              ? "rename that file to open it without, or name the model with --model"
                              : "give a checkpoint of a model listed by `attnscope-cli models`");
    std::vector<std::string> some, all;
    for (const auto& [name, tensor] : identity.tensors)
        if (all.push_back(name); some.size() < 3)
            some.push_back(std::string("`").append(printable(name)).append("`"));
    const std::string told = adviceFor(all, file);
    throw UsageError(
        file, "its tensors (" + joinWords(some, "and") + " among them) do not belong to a known model family",
        !told.empty() ? told : "specify the model with --model, or describe it in a JSON file");
}

/// "`act` (quick_gelu or gelu_erf)".
std::string withChoices(const CheckpointIdentity& identity, const std::string& key)
{
    const auto choices = identity.choices.find(key);
    return "`" + key + "`"
           + (choices == identity.choices.end() || choices->second.empty()
                  ? ""
                  : " (" + joinWords(choices->second) + ")");
}

[[noreturn]] void askForSwitches(const std::string& file, const CheckpointIdentity& identity)
{
    std::vector<std::string> keys;
    for (const std::string& key : identity.undecided)
        keys.push_back(withChoices(identity, key));
    throw UsageError(file,
                     "it is a checkpoint of " + identity.title + " (" + identity.reason
                         + "), but neither it nor a file next to it tells " + joinWords(keys, "and"),
                     "give each with --set KEY=VALUE, or one of timm's names with --model");
}

[[noreturn]] void askForUndecided(const std::string& file, const CheckpointIdentity& identity)
{
    if (!identity.switches.empty())
        askForSwitches(file, identity);
    const bool headsAlone = identity.undecided.size() == 1 && identity.undecided.front() == "num_heads";
    const int64_t likely = likelyHeads(identity);
    const std::string guess = likely > 0 ? " (64 channels per head would give " + std::to_string(likely) + ")"
                                         : "";
    throw UsageError(
        file,
        "it is a checkpoint of " + identity.title + " (" + identity.reason + "), but it does not contain "
            + (headsAlone ? "the number of heads" : joinWords(identity.undecided, "and")),
        headsAlone ? "give it with --heads" + guess + ", or describe the model in a JSON file with --model"
                   : "specify the model with --model, or describe it in a JSON file");
}

constexpr std::array preparationKeys{"mean", "std", "interpolation", "crop_pct", "squash"};

/// A key that no tensor shows, from "key=value": JSON, or a text.
void takeGiven(const std::string& assignment, const std::string& file, CheckpointIdentity& identity,
               LoadReport& report)
{
    const size_t at = assignment.find('=');
    const std::string key = assignment.substr(0, at);
    if (at == std::string::npos || key.empty())
        throw UsageError(assignment, "it is not a key with a value", "write --set act=quick_gelu, for example");
    const auto shown = std::ranges::find(identity.switches, key, &WitnessedKey::key);
    const bool isSwitch = shown != identity.switches.end();
    if (isSwitch && shown->seen)
        throw UsageError(file,
                         "its `" + key + "` is " + printable(shown->value.dump()) + ", as its tensors show ("
                             + shown->witness + ")",
                         "remove --set " + printable(key));
    const bool prepares = !identity.switches.empty()
                          && std::ranges::find(preparationKeys, key) != preparationKeys.end();
    if (!isSwitch && !prepares && std::ranges::find(identity.undecided, key) == identity.undecided.end())
        throw UsageError(file, "`" + printable(key) + "` is not a key that its description leaves open",
                         "`attnscope-cli inspect` shows what is known of it and why");
    const Json value = jsonFromText(std::string_view(assignment).substr(at + 1));
    identity.config[key] = value.is_discarded() ? Json(assignment.substr(at + 1)) : value;
    if (isSwitch) {
        shown->value = identity.config[key];
        shown->witness = "as requested";
    }
    std::erase(identity.undecided, key);
    report.notes.push_back("its `" + printable(key) + "` is as requested");
}

Description describedByCheckpoint(const ModelRequest& request, CheckpointIdentity& identity, LoadReport& report)
{
    if (!findFamily(identity.family))
        refuseFamily(request.weights, identity);
    if (request.heads > 0) {
        identity.config["num_heads"] = request.heads;
        std::erase(identity.undecided, "num_heads");
        report.notes.push_back("its " + counted(request.heads, "head") + nounFor(request.heads, " is", " are")
                               + " as requested");
    }
    if (request.preset == "timm" && identity.timm) {
        for (const char* key : preparationKeys)
            identity.config.erase(key);
        addTo(identity.config, *identity.timm);
    }
    for (const std::string& assignment : request.given)
        takeGiven(assignment, request.weights, identity, report);
    if (!request.imageSize.isOwn() && std::erase(identity.undecided, "img_size") > 0)
        identity.config["img_size"] = {request.imageSize.height, request.imageSize.width};
    if (!identity.undecided.empty())
        askForUndecided(request.weights, identity);
    Description description = parseDescription(identity.config, request.weights);
    if (description->name().empty())
        description->setName(fs::path(request.weights).stem().string());
    description->setLabels(identity.labels);
    report.reason = identity.reason;
    return description;
}

/// If the model was named, a head for another number of classes is a property of the checkpoint, not an error.
void adoptHead(const NamedTensors& tensors, const ModelRequest& request, ModelDescription& description,
               LoadReport& report)
{
    const auto head = tensors.find("head.weight");
    const auto shape = head == tensors.end() ? std::vector<int64_t>{} : head->second.shape();
    if (findModel(request.model) == nullptr || shape.size() != 2 || shape[0] == description.classes()
        || shape[0] < 1)
        return;
    report.notes.push_back("its head has " + counted(shape[0], "class", "classes") + " instead of "
                           + std::to_string(description.classes()));
    description.setClasses(shape[0]);
}

std::string adviceFor(const CheckpointIdentity& identity, const ModelDescription& description)
{
    if (!identity.model.empty() && identity.model != description.name())
        return "it matches " + identity.model;
    if (!identity.title.empty() && identity.family != description.family())
        return "it is a checkpoint of " + identity.title;
    return "specify another model with --model, or describe it in a JSON file";
}

LoadReport begunReport(const ModelRequest& request, const StateDict& state, const CheckpointIdentity& identity)
{
    LoadReport report;
    report.file = request.weights;
    report.container = state.container;
    report.nesting = state.nesting;
    report.alternatives = state.alternatives;
    report.naming = identity.naming;
    report.notes = state.notes;
    report.notes.insert(report.notes.end(), identity.notes.begin(), identity.notes.end());
    report.ignored = identity.ignored;
    return report;
}

constexpr int64_t largestResize = 16384;

/// As the weights were tested, or as timm tests them: its short side for the DeiT authors' 256 is 248.
int64_t presetResize(const ModelRequest& request, const ModelDescription& description)
{
    if (request.preset == "timm")
        return description.timmResize();
    if (request.preset != "native" && request.preset != "deit")
        throw UsageError("", "unknown transform preset `" + printable(request.preset) + "`",
                         "the presets are native and timm");
    return description.evaluationResize();
}

int64_t evaluationResize(const ModelRequest& request, const ModelDescription& description)
{
    const auto input = description.input();
    const int64_t crop = std::min(input[input.size() - 2], input.back());  // its short side
    if (request.resize < 0 || request.resize > largestResize)
        throw UsageError("", "a resize to " + counted(request.resize, "pixel") + " is not possible",
                         "give 1 to 16384, or 0 for the preset's");
    if (request.resize > 0 && request.resize < crop)
        throw UsageError("",
                         "a resize to " + counted(request.resize, "pixel") + " is smaller than the crop of "
                             + std::to_string(crop),
                         "give at least the size of the crop");
    if (request.resize > 0)
        return request.resize;
    const int64_t resize = presetResize(request, description);
    if (resize > largestResize)
        throw UsageError("",
                         "an image size of " + std::to_string(crop) + " means a resize to "
                             + std::to_string(resize) + " pixels before the crop, but "
                             + std::to_string(largestResize) + " is the maximum",
                         "give an image size of up to " + std::to_string(largestResize * crop / resize)
                             + ", or the resize itself");
    return resize;
}

/// The requested settings that apply to every family; `stated` is the size that a file next to the checkpoint makes of images.
void adjust(const ModelRequest& request, ModelDescription& description, InputSize stated = {})
{
    if (const InputSize size = request.imageSize.isOwn() ? stated : request.imageSize; !size.isOwn())
        description.setImageSize(size);
    description.setEvaluationResize(evaluationResize(request, description));
}

/// Two sizes are told: the network's, and that of the images which a file next to it makes.
void noteInput(const ModelRequest& request, InputSize stated, const ModelDescription& description,
               LoadReport& report)
{
    const auto input = description.input();
    const InputSize own{input.back(), input[input.size() - 2]};
    if (!stated.isOwn() && stated != own)
        report.notes.push_back("its preprocessor_config.json makes images of " + stated.text()
                               + " pixels, but its network is for " + own.text() + ": the input has "
                               + (request.imageSize.isOwn() ? stated.text() : request.imageSize.text())
                               + " (--image-size changes it)");
}

/// Names for the classes if the checkpoint has none: those of the data set with this many.
void nameClasses(ModelDescription& description, LoadReport& report)
{
    const KnownLabels* known = knownLabels(description.classes(), description.input().size() == 4);
    if (!description.labels().empty() || known == nullptr)
        return;
    description.setLabels(known->names);
    report.notes.push_back("its " + counted(description.classes(), "class", "classes")
                           + nounFor(description.classes(), " is", " are") + " assumed to be those of "
                           + known->dataset);
}

}

std::shared_ptr<TrainableClassifier> DescribedCheckpoint::load(ModelSetup setup, Values values)
{
    setup.advice = advice;
    WeightLoader loader(std::move(tensors), std::move(report));
    if (values == Values::LeftOut)
        loader.takeShapesOnly();
    return description->load(loader, setup);
}

DescribedCheckpoint describeCheckpoint(const ModelRequest& request)
{
    if (!request.model.empty() && !request.given.empty())
        throw UsageError("", "the description of the model " + printable(request.model) + " is complete",
                         "remove --set or --model");
    if (!request.model.empty() && request.heads > 0)
        throw UsageError("", "the number of heads is part of the model " + printable(request.model),
                         "remove --heads or --model");
    const std::string file = checkpointFile(request.weights);
    const StateDict state = readCheckpoint(file, {.limits = request.limits, .under = request.checkpointKey});
    CheckpointIdentity identity = identify(state, companionFiles(file, request.limits));
    if (!identity.problem.empty())
        throw Unsupported(file, identity.problem, identity.remedy);
    DescribedCheckpoint described;
    described.report = begunReport(request, state, identity);
    described.description = request.model.empty() ? describedByCheckpoint(request, identity, described.report)
                                                  : describedBy(request);
    adoptHead(identity.tensors, request, *described.description, described.report);
    const InputSize stated = request.model.empty() ? identity.input : InputSize();
    noteInput(request, stated, *described.description, described.report);
    adjust(request, *described.description, stated);
    nameClasses(*described.description, described.report);
    described.advice = adviceFor(identity, *described.description);
    described.tensors = std::move(identity.tensors);
    described.description->adapt(described.tensors, described.report);
    return described;
}

std::unique_ptr<ModelDescription> describeModel(const ModelRequest& request)
{
    if (request.model.empty())
        throw UsageError("", "untrained weights need a model", "specify one with --model");
    Description description = describedBy(request);
    adjust(request, *description);
    return description;
}

}

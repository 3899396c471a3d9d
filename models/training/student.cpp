#include "models/training/student.h"

#include "core/attention/backend_info.h"
#include "core/attention/landmarks.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "models/blocks/layers.h"
#include "models/blocks/random_weights.h"
#include "models/weights/described_checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace attnscope {

namespace {

/// What the student starts from, with its own attention; without a network: random weights.
Student originOf(const TrainRequest& request, const ModelSetup& setup)
{
    Student origin;
    if (const auto seed = untrainedSeed(request.model.weights)) {
        origin.description = describeModel(request.model);
        origin.source = "untrained, seed " + std::to_string(*seed);
        return origin;
    }
    DescribedCheckpoint described = describeCheckpoint(request.model);
    origin.network = described.load(setup);
    origin.description = std::move(described.description);
    origin.source = std::filesystem::path(request.model.weights).filename().string();
    for (const std::string& resized : origin.network->describe().load.resized)
        origin.notes.push_back("resized: " + resized);
    for (const std::string& tensor : origin.network->describe().load.notFinite)
        origin.notes.push_back("not finite: " + tensor);
    return origin;
}

/// The description with another attention, classes and landmark maps.
std::unique_ptr<ModelDescription> adapted(const ModelDescription& from, const AttentionSpec& attention,
                                          const std::string& maps, const std::vector<std::string>& classes)
{
    Json json = from.toJson();
    json["attention"] = attention.canonical();
    if (json.contains("landmark_maps"))
        json["landmark_maps"] = json["landmark_maps"].is_boolean() ? Json(maps != "none") : Json(maps);
    auto description = parseDescription(json, from.name());
    description->setEvaluationResize(from.evaluationResize());
    description->setClasses(int64_t(classes.size()));
    description->setLabels(classes);
    return description;
}

std::string mapsOf(const ModelDescription& description)
{
    const Json json = description.toJson();
    if (!json.contains("landmark_maps"))
        return "none";
    const Json& maps = json["landmark_maps"];
    return maps.is_string() ? maps.get<std::string>() : maps.get<bool>() ? "light" : "none";
}

bool canLearnMaps(const AttentionSpec& attention)
{
    const BackendInfo* info = findBackend(attention.backend());
    const auto& parts = attention.parts();
    return (info != nullptr && info->landmarkMaps)
           || std::ranges::any_of(parts, [](const LayerAttention& part) { return canLearnMaps(part.spec); });
}

/// "lara": those that have landmark maps.
std::string namesWithMaps()
{
    std::vector<std::string> names;
    for (const BackendInfo& info : backends())
        if (info.landmarkMaps)
            names.push_back(info.name);
    return joinWords(names);
}

std::string mapsFor(const TrainRequest& request, const Student& origin, const AttentionSpec& attention)
{
    const std::string& requested = request.landmarkMap;
    if (requested != "auto" && requested != "none" && requested != "light" && requested != "dense")
        throw UsageError("--landmark-map", "`" + requested + "` is not a kind of landmark map",
                         "write auto, light, dense or none");
    const bool canLearn = canLearnMaps(attention);
    if (requested == "auto")
        return canLearn ? mapsOf(*origin.description) : "none";
    const Json json = origin.description->toJson();
    if (requested == "none")
        return requested;
    if (!canLearn)
        throw UsageError("--landmark-map", attention.canonical() + " has no landmarks",
                         "leave it out, or train " + namesWithMaps());
    if (!json.contains("landmark_maps"))
        throw Unsupported("--landmark-map",
                          "a " + origin.description->family() + " does not support landmark maps",
                          "leave it out; pooled landmarks are used as "
                          "they are");
    if (requested == "dense" && json["landmark_maps"].is_boolean())
        throw Unsupported("--landmark-map",
                          "a " + origin.description->family() + " has one map shared by all heads", "write light");
    return requested;
}

/// Linear maps initialised to the identity, then LayerNorm: the landmarks start as pooled ones with unit standard deviation.
AttentionParameters freshMaps(int64_t side)
{
    AttentionParameters parameters;
    for (const auto& [name, shape] : landmarkMapTensors(side))
        parameters[name] = shape.size() == 2           ? at::eye(side)
                           : name.ends_with(".weight") ? at::ones(side)
                                                       : at::zeros(side);
    return parameters;
}

void addMaps(TrainableClassifier& network, const ModelSetup& setup, const std::string& maps)
{
    const PreparedAttention prepared = network.prepare(AttentionSpec::native(), 0);
    for (int64_t layer = 0; layer < int64_t(prepared.layers.size()); ++layer) {
        if (!canLearnMaps(prepared.layers[size_t(layer)]->spec()) || !network.attentionParameters(layer).empty())
            continue;
        const AttentionShape shape = network.attentionShape(layer);
        AttentionParameters parameters = freshMaps(maps == "dense" ? shape.width * shape.heads : shape.width);
        for (auto& [name, value] : parameters)
            value = value.to(setup.device, setup.dtype);
        network.setAttentionParameters(layer, std::move(parameters));
    }
}

bool isHead(const std::string& name)
{
    return name.starts_with("head");
}

/// Copies the weights that fit.
void copyWeights(const TrainableClassifier& from, TrainableClassifier& to, const ModelDescription& description,
                 std::vector<std::string>& notes)
{
    const at::NoGradGuard guard;
    std::map<std::string, at::Tensor> given;
    for (const NamedWeight& weight : from.weights())
        if (!weight.ofExit || to.hasExitHeads())
            given[weight.name] = weight.value;
    int64_t heads = 0;
    for (NamedWeight& weight : to.weights()) {
        const auto found = given.find(weight.name);
        const bool there = found != given.end();
        if (there && found->second.defined() == weight.value.defined()
            && (!weight.value.defined() || found->second.sizes() == weight.value.sizes())) {
            if (weight.value.defined())
                weight.value.copy_(found->second);
            given.erase(found);
        } else if (isHead(weight.name)) {
            heads += 1;
            given.erase(weight.name);
        } else if (!weight.ofAttention) {
            throw UsageError(description.name(),
                             "`" + weight.name + "` of the checkpoint does not match the network to be trained",
                             "start from a checkpoint of the same architecture, or from untrained weights");
        }
    }
    if (heads > 0)
        notes.emplace_back(
            "the head is newly initialised because the checkpoint's has a different number of classes");
    if (!given.empty())
        notes.push_back(counted(std::ssize(given), "tensor") + " of the checkpoint "
                        + nounFor(std::ssize(given), "is", "are") + " not used by this attention ("
                        + printable(given.begin()->first) + " …)");
}

/// The network as it is, with exit heads to train.
Student withExits(Student origin, const TrainRequest& request)
{
    const AttentionSpec own = origin.description->attention();
    const int64_t layers = origin.description->layers();
    origin.attention = AttentionSpec::parse(request.attention).resolved(own, layers);
    if (!sameMeaning(origin.attention, own, layers) || request.landmarkMap != "auto" || !request.teacher.empty())
        throw UsageError("--exits", "exit heads are trained alone, and the network keeps its attention",
                         "leave out --attention, --landmark-map and --distil-from");
    origin.notes.emplace_back(
        origin.network->hasExitHeads()
            ? "the exit heads of the checkpoint are trained further; the network itself stays as it is"
            : "exit heads are trained; the network itself stays as it is");
    origin.network->addExitHeads();
    return origin;
}

}

Student makeStudent(const TrainRequest& request, const ModelSetup& setup, const std::vector<std::string>& classes)
{
    if (request.plan.exits && untrainedSeed(request.model.weights))
        throw UsageError("--exits", "exit heads belong to a network that is already trained",
                         "give its checkpoint with --init");
    Student origin = originOf(request, setup);
    if (request.plan.exits)
        return withExits(std::move(origin), request);
    Student student;
    const AttentionSpec requested = AttentionSpec::parse(request.attention);
    if (requested.tokens().merges())
        throw UsageError(requested.canonical(),
                         "networks are trained with all their tokens, and merge them without training",
                         "leave out `;tokens=` here, and give it when the trained network runs");
    if (requested.weights() != WeightStorage::Own)
        throw UsageError(
            requested.canonical(),
            "networks are trained with the weights that they have, and store them in 8 bits without training",
            "leave out `;weights=` here, and give it when the trained network runs");
    student.attention = requested.resolved(origin.description->attention(), origin.description->layers());
    const std::string maps = mapsFor(request, origin, student.attention);
    const std::string before = origin.network ? mapsOf(*origin.description) : "none";
    // Without maps first: those are given to the network, not expected from the checkpoint.
    const auto bare = adapted(*origin.description, student.attention, "none", classes);
    student.network = bare->untrained(untrainedSeed(request.model.weights).value_or(request.plan.seed), setup);
    if (origin.network && maps == before && maps != "none")
        for (int64_t layer = 0; layer < origin.network->describe().layers; ++layer)
            student.network->setAttentionParameters(layer, origin.network->attentionParameters(layer));
    if (maps != "none")
        addMaps(*student.network, setup, maps);
    student.description = adapted(*origin.description, student.attention, maps, classes);
    student.source = origin.source;
    student.notes = std::move(origin.notes);
    if (origin.network && origin.network->hasExitHeads())
        student.notes.emplace_back(
            "the exit heads of the checkpoint are left out: they were trained for the network as it was");
    if (origin.network)
        copyWeights(*origin.network, *student.network, *student.description, student.notes);
    return student;
}

std::shared_ptr<TrainableClassifier> copyOf(const Student& student, const ModelSetup& setup)
{
    const std::vector<std::string> classes(size_t(student.description->classes()));
    const auto bare = adapted(*student.description, student.attention, "none", classes);
    const auto copy = bare->untrained(0, setup);
    if (student.network->hasExitHeads())
        copy->addExitHeads();
    for (int64_t layer = 0; layer < student.network->describe().layers; ++layer) {
        AttentionParameters parameters = student.network->attentionParameters(layer);
        for (auto& [name, value] : parameters)
            value = value.detach().clone();
        copy->setAttentionParameters(layer, std::move(parameters));
    }
    std::vector<std::string> notes;
    copyWeights(*student.network, *copy, *student.description, notes);
    return copy;
}

}

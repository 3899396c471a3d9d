// SPDX-License-Identifier: Apache-2.0
#include "models/open_model.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/state_dict.h"
#include "core/run/classifier.h"
#include "core/run/device.h"
#include "models/named_models.h"
#include "models/vision_transformer.h"

#include <charconv>
#include <fstream>
#include <optional>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

at::ScalarType parseDtype(const std::string& name)
{
    if (name == "float32")
        return at::kFloat;
    if (name == "bfloat16")
        return at::kBFloat16;
    if (name == "float16")
        return at::kHalf;
    throw UsageError("", "there is no dtype called `" + printable(name) + "`", "float32, bfloat16 and float16 are");
}

std::vector<std::string> modelNames()
{
    std::vector<std::string> names;
    for (const NamedModel& model : namedModels())
        names.push_back(model.description.name);
    return names;
}

Json readJsonFile(const std::string& path, const Limits& limits)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        throw FileError(path, "it is not a file", "give a JSON model description or one of the names of `attnscope-cli models`");
    if (fs::file_size(path, error) > static_cast<std::uintmax_t>(limits.jsonBytes) || error)
        throw FileError(path, "it is too large for a model description", "a description is a few lines of JSON");
    std::ifstream stream(path);
    const Json json = Json::parse(stream, nullptr, false);
    if (json.is_discarded())
        throw FileError(path, "it is not valid JSON", "give an object with family, embed_dim, depth and so on");
    return json;
}

VitDescription descriptionFromFile(const std::string& path, const Limits& limits)
{
    const Json json = readJsonFile(path, limits);
    const bool nested = json.is_object() && json.contains("config");
    VitDescription description = parseVitDescription(nested ? json["config"] : json, path);
    if (description.name.empty())
        description.name = json.is_object() ? json.value("case", fs::path(path).stem().string()) : fs::path(path).stem().string();
    return description;
}

bool namesAFile(const std::string& model)
{
    std::error_code error;
    return model.find('/') != std::string::npos || fs::path(model).extension() == ".json" || fs::exists(model, error);
}

std::optional<std::uint64_t> untrainedSeed(const std::string& weights)
{
    constexpr std::string_view word = "untrained";
    if (weights == word)
        return 0;
    if (weights.compare(0, word.size() + 1, std::string(word) + ":") != 0)
        return std::nullopt;
    std::uint64_t seed = 0;
    const char* end = weights.data() + weights.size();
    const auto result = std::from_chars(weights.data() + word.size() + 1, end, seed);
    if (result.ec != std::errc() || result.ptr != end)
        throw UsageError(weights, "the seed is not a number", "write untrained or untrained:SEED");
    return seed;
}

/// A checkpoint that carries its own description (written by us), or whose tensors fit one named model and no other.
std::optional<VitDescription> descriptionFromCheckpoint(const StateDict& state, const std::string& path)
{
    if (state.metadata.contains("model") && state.metadata["model"].is_string()) {
        const Json json = Json::parse(state.metadata["model"].get<std::string>(), nullptr, false);
        if (json.is_object()) {
            VitDescription description = parseVitDescription(json, path);
            if (description.name.empty())
                description.name = fs::path(path).stem().string();
            return description;
        }
    }
    const auto shapeOf = [&](const std::string& name) {
        const auto found = state.tensors.find(name);
        return found == state.tensors.end() ? std::vector<std::int64_t>{} : found->second.shape;
    };
    for (const NamedModel& model : namedModels()) {
        const VitDescription& d = model.description;
        const bool deit = d.family == VitFamily::Deit;
        const std::vector<std::int64_t> position = deit ? std::vector<std::int64_t>{1, d.tokens(), d.width}
                                                        : std::vector<std::int64_t>{1, d.rows(), d.columns(), d.width};
        const bool fits = shapeOf("pos_embed") == position && shapeOf("cls_token").empty() != deit
                          && shapeOf("dist_token").empty() != d.distilled
                          && shapeOf("patch_embed.proj.weight") == std::vector<std::int64_t>{d.width, 3, d.patchSize, d.patchSize}
                          && !shapeOf("blocks." + std::to_string(d.depth - 1) + ".norm1.weight").empty()
                          && shapeOf("blocks." + std::to_string(d.depth) + ".norm1.weight").empty();
        if (fits)
            return d;
    }
    return std::nullopt;
}

VitDescription describe(const ModelRequest& request, const StateDict* state, std::vector<std::string>& notes)
{
    if (!request.model.empty()) {
        if (const NamedModel* model = findModel(request.model))
            return model->description;
        if (namesAFile(request.model))
            return descriptionFromFile(request.model, request.limits);
        throw UsageError("", "there is no model called `" + printable(request.model) + "`",
                         "the nearest names are " + joinWords(nearestWords(request.model, modelNames()), "and")
                             + "; `attnscope-cli models` lists all, and a JSON description works too");
    }
    if (state == nullptr)
        throw UsageError("", "untrained weights need a model", "name one with --model");
    const auto found = descriptionFromCheckpoint(*state, request.weights);
    if (!found)
        throw UsageError(request.weights, "its tensors do not say which model they belong to (the number of heads is not in them)",
                         "name the model with --model, or describe it in a JSON file");
    notes.push_back("taken for " + found->name + " by " + (state->metadata.contains("model") ? "its own description" : "the shapes of its tensors"));
    return *found;
}

/// A head for another number of classes is a property of the checkpoint, not a mistake, when the model goes by a public name.
void adoptHead(const WeightLoader& loader, const ModelRequest& request, VitDescription& d, std::vector<std::string>& notes)
{
    const auto shape = loader.shape("head.weight");
    if (findModel(request.model) == nullptr || shape.size() != 2 || shape[1] != d.width || shape[0] == d.classes || shape[0] < 1)
        return;
    notes.push_back("its head has " + std::to_string(shape[0]) + " classes instead of " + std::to_string(d.classes));
    d.classes = shape[0];
}

std::string adviceFor(const WeightLoader& loader, const VitDescription& d)
{
    for (const NamedModel& model : namedModels()) {
        const VitDescription& other = model.description;
        const std::vector<std::int64_t> position{1, other.tokens(), other.width};
        if (other.family == VitFamily::Deit && other.name != d.name && loader.shape("pos_embed") == position
            && loader.has("dist_token") == other.distilled)
            return "it fits " + other.name;
    }
    return "name another model with --model, or describe it in a JSON file";
}

void resizeTo(std::int64_t size, PositionRule rule, VitDescription& d, VitWeights& weights, std::vector<std::string>& notes)
{
    if (size == 0 || (size == d.imageHeight && size == d.imageWidth))
        return;
    if (size < d.patchSize || size % d.patchSize != 0 || size > 16384)
        throw UsageError("", "an image size of " + std::to_string(size) + " does not fit " + d.name,
                         "it should be a multiple of the patch size, " + std::to_string(d.patchSize));
    const std::int64_t side = size / d.patchSize;
    weights.position = resizePositionEmbedding(weights.position, d.prefixTokens(), d.rows(), d.columns(), side, side, rule);
    notes.push_back("position embedding resized from " + std::to_string(d.rows()) + "×" + std::to_string(d.columns()) + " to "
                    + std::to_string(side) + "×" + std::to_string(side)
                    + (rule == PositionRule::Deit ? " (bicubic, as the DeiT authors do)" : " (bicubic with antialias, as timm does)"));
    d.imageHeight = d.imageWidth = size;
    d.evaluationResize = size * 256 / 224;
}

/// The published evaluations disagree about the short side: the DeiT authors resize to 256 for a crop of 224, timm to 248.
std::int64_t evaluationResize(const ModelRequest& request, const VitDescription& d)
{
    if (request.resize < 0 || request.resize > 16384)
        throw UsageError("", "a resize to " + std::to_string(request.resize) + " pixels is not possible", "give 1 to 16384, or 0 for the preset's");
    if (request.resize > 0 && request.resize < d.imageHeight)
        throw UsageError("", "a resize to " + std::to_string(request.resize) + " pixels is smaller than the crop of "
                                 + std::to_string(d.imageHeight), "give at least the size of the crop");
    if (request.resize > 0)
        return request.resize;
    if (request.preset == "timm")
        return d.imageHeight == 384 ? 384 : d.imageHeight * 10 / 9;
    if (request.preset != "deit")
        throw UsageError("", "there is no transform preset called `" + printable(request.preset) + "`", "the presets are deit and timm");
    return d.evaluationResize;
}

VisionTransformer::Setup load(const ModelRequest& request)
{
    VisionTransformer::Setup setup;
    if (const auto seed = untrainedSeed(request.weights)) {
        setup.description = describe(request, nullptr, setup.notes);
        setup.weights = randomVitWeights(setup.description, *seed);
        setup.source = "untrained, seed " + std::to_string(*seed);
        return setup;
    }
    const StateDict state = readCheckpoint(request.weights, {.limits = request.limits});
    setup.notes = state.notes;
    setup.description = describe(request, &state, setup.notes);
    WeightLoader loader(state, request.weights);
    adoptHead(loader, request, setup.description, setup.notes);
    setup.weights = loadVitWeights(setup.description, loader);
    loader.finish(setup.description.name, adviceFor(loader, setup.description));
    setup.kind = WeightsKind::Trained;
    setup.source = request.weights;
    return setup;
}

}  // namespace

std::shared_ptr<const Classifier> openModel(const ModelRequest& request)
{
    if (request.weights.empty())
        throw UsageError("", "no weights were given",
                         "name a checkpoint with --weights, or write --weights untrained for seeded random ones");
    const at::ScalarType dtype = parseDtype(request.dtype);
    const at::Device device(resolveDevice(request.device));
    const c10::InferenceMode guard;
    VisionTransformer::Setup setup = load(request);
    setup.positionRule = parsePositionRule(request.positionRule);
    resizeTo(request.imageSize, setup.positionRule, setup.description, setup.weights, setup.notes);
    setup.description.evaluationResize = evaluationResize(request, setup.description);
    setup.device = device;
    setup.dtype = dtype;
    try {
        return std::make_shared<VisionTransformer>(std::move(setup));
    } catch (const c10::Error& error) {
        throw Unsupported(request.weights, std::string("the model could not be put on ") + device.str() + " ("
                                               + error.what_without_backtrace() + ")");
    }
}

ModelSummary summary(const Classifier& classifier)
{
    return classifier.describe();
}

Transform evaluationTransform(const Classifier& classifier)
{
    return classifier.transform();
}

}  // namespace attnscope

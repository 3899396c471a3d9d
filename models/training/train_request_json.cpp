// SPDX-License-Identifier: Apache-2.0
#include "models/training/train_request_json.h"

#include "core/base/error.h"
#include "core/base/json_path.h"
#include "core/checkpoint/safetensors.h"
#include "core/train/training_json.h"
#include "models/training/training_files.h"

#include <filesystem>

namespace attnscope {

namespace {

Json modelJson(const ModelRequest& model)
{
    return {{"model", jsonPath(model.model)},
            {"weights", jsonPath(model.weights)},
            {"checkpoint_key", model.checkpointKey},
            {"heads", model.heads},
            {"device", model.device},
            {"dtype", model.dtype},
            {"image_size", model.imageSize},
            {"position_rule", model.positionRule},
            {"preset", model.preset},
            {"resize", model.resize}};
}

std::string pathOf(const Json& json, const char* key)
{
    return pathFromJson(json.at(key).get<std::string>());
}

ModelRequest modelFromJson(const Json& json)
{
    ModelRequest model;
    model.model = pathOf(json, "model");
    model.weights = pathOf(json, "weights");
    json.at("checkpoint_key").get_to(model.checkpointKey);
    json.at("heads").get_to(model.heads);
    json.at("device").get_to(model.device);
    json.at("dtype").get_to(model.dtype);
    json.at("image_size").get_to(model.imageSize);
    json.at("position_rule").get_to(model.positionRule);
    json.at("preset").get_to(model.preset);
    json.at("resize").get_to(model.resize);
    return model;
}

}  // namespace

Json toJson(const TrainRequest& request)
{
    return {{"folder", jsonPath(request.folder)}, {"layout", request.layout},
            {"validation", jsonPath(request.validation)}, {"model", modelJson(request.model)},
            {"attention", request.attention},   {"landmark_map", request.landmarkMap},
            {"teacher", jsonPath(request.teacher)}, {"output", jsonPath(request.output)},
            {"workers", request.plan.workers},  {"plan", toJson(request.plan)}};
}

TrainRequest trainRequestFromJson(const Json& json, const std::string& source)
{
    try {
        TrainRequest request;
        request.folder = pathOf(json, "folder");
        json.at("layout").get_to(request.layout);
        request.validation = pathOf(json, "validation");
        request.model = modelFromJson(json.at("model"));
        json.at("attention").get_to(request.attention);
        json.at("landmark_map").get_to(request.landmarkMap);
        request.teacher = pathOf(json, "teacher");
        request.output = pathOf(json, "output");
        request.plan = planFromJson(json.at("plan"));
        json.at("workers").get_to(request.plan.workers);
        AttentionSpec::parse(request.attention);
        return request;
    } catch (const Json::exception&) {
        throw FileError(source, "what it says of a training is damaged", "fill in the form anew");
    } catch (const UsageError& error) {
        throw FileError(source,
                        "its training is for an attention that is not there (" + std::string(error.what()) + ")",
                        "fill in the form anew");
    }
}

std::optional<TrainRequest> interruptedTraining(const std::string& output)
{
    const std::string file = TrainingFiles(output).resume;
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none))
        return std::nullopt;
    const StateDict state = readSafetensors(openFile(file));
    const Json text = state.metadata.is_object() ? state.metadata.value("attnscope_training", Json()) : Json();
    const Json training = text.is_string() ? Json::parse(text.get<std::string>(), nullptr, false) : Json();
    if (!training.is_object() || !training.contains("request"))
        throw FileError(file, "it does not say how its training was begun", "fill in the form as it was");
    TrainRequest request = trainRequestFromJson(training.at("request"), file);
    request.output = output;
    request.resume = true;
    return request;
}

}  // namespace attnscope

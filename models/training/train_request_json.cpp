// SPDX-License-Identifier: Apache-2.0
#include "models/training/train_request_json.h"

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/train/training_json.h"
#include "models/training/training_files.h"

#include <filesystem>

namespace attnscope {

/// A number for the side of a square, else "WIDTHxHEIGHT".
void to_json(Json& json, const InputSize& size)
{
    json = size.isSquare() ? Json(size.width) : Json(size.text());
}

void from_json(const Json& json, InputSize& size)
{
    size = InputSize::parse(json.is_string() ? json.get<std::string>() : std::to_string(json.get<std::int64_t>()));
}

void visitFields(MaybeConst<ModelRequest> auto& model, auto& visit)
{
    visit.path("model", model.model);
    visit.path("weights", model.weights);
    visit("checkpoint_key", model.checkpointKey);
    visit("heads", model.heads);
    visit("device", model.device);
    visit("dtype", model.dtype);
    visit("image_size", model.imageSize);
    visit("position_rule", model.positionRule);
    visit("preset", model.preset);
    visit("resize", model.resize);
}

void visitFields(MaybeConst<TrainRequest> auto& request, auto& visit)
{
    visit.path("folder", request.folder);
    visit("layout", request.layout);
    visit.path("validation", request.validation);
    visit("model", request.model);
    visit("attention", request.attention);
    visit("landmark_map", request.landmarkMap);
    visit.path("teacher", request.teacher);
    visit.path("output", request.output);
    visit("workers", request.plan.workers);  // is not of the plan's own JSON
    visit("plan", request.plan);
}

Json toJson(const TrainRequest& request)
{
    return writeFields(request);
}

TrainRequest trainRequestFromJson(const Json& json, const std::string& source)
{
    try {
        TrainRequest request;
        readFields(json, request);
        AttentionSpec::parse(request.attention);
        return request;
    } catch (const Json::exception&) {
        throw FileError(source, "its description of a training run is damaged", "fill in the form again");
    } catch (const UsageError& error) {
        throw FileError(source,
                        "its training run is for an unknown attention (" + std::string(error.what()) + ")",
                        "fill in the form again");
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
        throw FileError(file, "it does not contain the settings of its training run", "fill in the form with the same settings");
    TrainRequest request = trainRequestFromJson(training.at("request"), file);
    request.output = output;
    request.resume = true;
    return request;
}

}  // namespace attnscope

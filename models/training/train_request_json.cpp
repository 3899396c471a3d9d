#include "models/training/train_request_json.h"

#include "core/attention/attention_spec.h"
#include "core/base/error.h"
#include "core/train/training_json.h"

namespace attnscope {

/// A number for the side of a square, else "WIDTHxHEIGHT".
void to_json(Json& json, const InputSize& size)
{
    json = size.isSquare() ? Json(size.width) : Json(size.text());
}

void from_json(const Json& json, InputSize& size)
{
    size = InputSize::parse(json.is_string() ? json.get<std::string>()
                                             : std::to_string(integerFrom<int64_t>(json)));
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
        throw FileError(source, "its training run is for an unknown attention (" + std::string(error.what()) + ")",
                        "fill in the form again");
    }
}

}

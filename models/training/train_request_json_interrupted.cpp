#include "models/training/train_request_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/checkpoint/safetensors.h"
#include "models/training/training_files.h"

#include <filesystem>

namespace attnscope {

std::optional<TrainRequest> interruptedTraining(const std::string& output)
{
    const std::string file = TrainingFiles(output).resume;
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none))
        return std::nullopt;
    const StateDict state = readSafetensors(openFile(file));
    const Json text = state.metadata.is_object() ? state.metadata.value("attnscope_training", Json()) : Json();
    const Json training = text.is_string() ? jsonFromText(text.get_ref<const std::string&>()) : Json();
    if (!training.is_object() || !training.contains("request"))
        throw FileError(file, "it does not contain the settings of its training run",
                        "fill in the form with the same settings");
    TrainRequest request = trainRequestFromJson(training.at("request"), file);
    request.output = output;
    request.resume = true;
    return request;
}

}

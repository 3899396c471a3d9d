#include "models/training/training_files.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/dtype.h"
#include "models/weights/header_description.h"

namespace attnscope {

TrainingFiles::TrainingFiles(const std::string& path)
    : output(path)
{
    const std::string suffix = ".safetensors";
    if (!path.ends_with(suffix) || path.size() == suffix.size())
        throw UsageError(path, "the output does not have the extension .safetensors",
                         "use the extension .safetensors");
    const std::string stem = path.substr(0, path.size() - suffix.size());
    best = stem + ".best" + suffix;
    resume = stem + ".resume" + suffix;
    history = stem + ".history.json";
}

void writeCheckpoint(const std::string& path, const TrainableClassifier& network,
                     const ModelDescription& description, const Json& provenance)
{
    std::map<std::string, SafetensorsEntry> entries;
    for (const NamedWeight& weight : network.weights())
        entries[weight.name] = safetensorsEntry(storedValue(weight));
    HeaderDescription header;
    header.model = description.toJson();
    header.labels = description.labels();
    header.preprocessing = preprocessingJson(network.transform());
    header.provenance = provenance;
    writeSafetensors(path, entries, headerMetadata(header));
}

void writeResumeState(const std::string& path, const ResumeState& state)
{
    std::map<std::string, SafetensorsEntry> entries;
    for (const auto& [name, tensor] : state.tensors)
        entries[name] = safetensorsEntry(tensor);
    writeSafetensors(
        path, entries,
        {{"attnscope_training", state.training.dump(-1, ' ', false, Json::error_handler_t::replace)}});
}

ResumeState readResumeState(const std::string& path)
{
    const StateDict file = readSafetensors(openFile(path));
    const Json text = file.metadata.is_object() ? file.metadata.value("attnscope_training", Json()) : Json();
    ResumeState state;
    if (text.is_string())
        state.training = jsonFromText(text.get_ref<const std::string&>());
    if (!state.training.is_object())
        throw FileError(path, "it does not contain the state of a training run to resume",
                        "start over with --overwrite");
    for (const auto& [name, stored] : file.tensors)
        state.tensors[name] = at::tensor(stored.readFloat()).reshape(stored.shape);
    return state;
}

}

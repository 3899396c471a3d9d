#include "models/evaluation_set.h"

#include "core/checkpoint/sha256.h"
#include "core/checkpoint/state_dict.h"
#include "core/data/dataset/protocol.h"
#include "core/run/classifier.h"
#include "models/weights/described_checkpoint.h"

#include <filesystem>

namespace attnscope {

namespace {

std::string absolute(const std::string& path)
{
    return std::filesystem::absolute(path).lexically_normal().string();
}

}

LabelledSet evaluationSet(const EvaluationSource& source, const Classifier& classifier,
                          const std::vector<std::string>& labels)
{
    ModelClasses classes = classesOf(classifier);
    if (!labels.empty()) {
        classes.names = labels;
        classes.keys.clear();
    }
    LabelledSet set = matchProtocol(scanEvaluation(source), classes);
    // The store outlives the working directory of the command.
    set.root = absolute(set.root);
    for (LabelledFile& file : set.files)
        file.path = absolute(file.path);
    return set;
}

void noteOrigin(EvaluationRequest& request, const ModelRequest& model)
{
    const bool untrained = model.weights.starts_with("untrained");
    const auto description = untrained ? describeModel(model) : std::move(describeCheckpoint(model).description);
    Json json = description->toJson();
    if (model.positionRule != "own")
        json["position_rule"] = model.positionRule;
    if (!model.checkpointKey.empty())
        json["checkpoint_key"] = model.checkpointKey;
    if (!model.classEmbeddings.empty())
        json["class_embeddings_sha256"] = sha256(*openFile(model.classEmbeddings));
    request.modelDescription = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    request.weightsFile = untrained ? "" : checkpointFile(model.weights);
}

}

#include "models/lab_options.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

std::vector<ModelRequest> CheckpointList::requests(const ModelRequest& model) const
{
    if (models.size() > 1 && models.size() != checkpoints.size())
        throw UsageError("--model",
                         counted(std::ssize(models), "model") + " for "
                             + counted(std::ssize(checkpoints), "checkpoint"),
                         "give it once for all of --weights, or once for each");
    std::vector<ModelRequest> all;
    for (size_t i = 0; i < checkpoints.size(); ++i) {
        ModelRequest& request = all.emplace_back(model);
        request.weights = checkpoints[i];
        if (!models.empty())
            request.model = models[models.size() == 1 ? 0 : i];
    }
    return all;
}

}

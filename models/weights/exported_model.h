#pragma once

#include "core/base/json.h"
#include "models/weights/named_tensors.h"

#include <string>

namespace attnscope {

/// A model as another program opens it.
struct ExportedModel {
    NamedTensors tensors;  ///< under the names that it uses; those that it does not know keep ours
    Json config;           ///< its config.json; null if it has no such model
    std::string note;      ///< what the user should know of it
};

}

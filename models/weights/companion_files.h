#pragma once

#include "core/base/json.h"
#include "core/base/limits.h"

#include <string>

/// The files that publishers put next to a checkpoint. Independent of torch.
namespace attnscope {

struct CompanionFiles {
    Json config;        ///< config.json, an object; null if there is none, false if it is no object of JSON
    Json preprocessor;  ///< preprocessor_config.json, likewise
};

/// The checkpoint that a user means: the file itself, or the one in a folder (`model.safetensors`, `pytorch_model.bin`, or the only one
/// there by its content; the index of a checkpoint in several files). Throws FileError if a folder has none or several.
std::string checkpointFile(const std::string& given);

/// Next to `checkpoint`, a path of checkpointFile. Files that are too large count as missing.
CompanionFiles companionFiles(const std::string& checkpoint, const Limits& limits);

}

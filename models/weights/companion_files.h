// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/base/limits.h"

#include <string>

/// The files that publishers put next to a checkpoint. Independent of torch.
namespace attnscope {

struct CompanionFiles {
    Json config;        ///< config.json; null if there is none
    Json preprocessor;  ///< preprocessor_config.json; null if there is none
};

/// The checkpoint that a user means: the file itself, or the one in a folder (`model.safetensors`, `pytorch_model.bin`, or the only one
/// there). Throws FileError if a folder has none or several, and for the index of a checkpoint in several files.
[[nodiscard]] std::string checkpointFile(const std::string& given);

/// Next to `checkpoint`, a path of checkpointFile. Files that are no JSON objects, or too large, count as missing.
[[nodiscard]] CompanionFiles companionFiles(const std::string& checkpoint, const Limits& limits);

}  // namespace attnscope

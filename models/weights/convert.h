#pragma once

#include "core/base/json.h"
#include "core/run/load_report.h"
#include "models/open_model.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Its users are independent of torch.
namespace attnscope {

struct ConvertRequest {
    ModelRequest model;  ///< the checkpoint, and what it does not state itself
    std::string output;
    bool overwrite = false;
    std::string dtype = "stored";  ///< of the written numbers: stored, float32, float16 or bfloat16
    /// Class names for the header, given their number; empty: those of the checkpoint.
    std::function<std::vector<std::string>(int64_t classes)> labels;
};

struct ConvertReport {
    std::string output;
    int64_t bytes = 0, tensors = 0;
    Json model;  ///< the description in the header
    LoadReport load;
};

/// Writes the tensors that the model uses, under the names of the family's original code, bit-identical to the stored ones unless `dtype`
/// requests another type, with a description in the header (models/weights/header_description.h);
/// plain vision transformers under timm's names, with a config.json next to an output that is called model.safetensors. A network opened from either file gives
/// equal logits, up to the rounding of that type. Throws UsageError if a value is too large for it. Also throws UsageError,
/// CheckpointMismatch, FileError (including if the output exists or can't be written).
ConvertReport convertCheckpoint(const ConvertRequest& request);

}

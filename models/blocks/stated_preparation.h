#pragma once

#include "core/base/json.h"
#include "core/data/preprocess/input_size.h"
#include "models/blocks/image_preparation.h"

#include <optional>
#include <string>

namespace attnscope {

/// How a file next to a checkpoint says that images are prepared.
struct StatedPreparation {
    ImagePreparation preparation;
    InputSize input;      ///< that it makes of them; its own: it does not say
    std::string refusal;  ///< the first setting that can't be obeyed, with its name; else empty
};

/// timm's `pretrained_cfg`; what it leaves out is as in `usual`.
StatedPreparation timmPreparation(const Json& weights, const ImagePreparation& usual);

/// preprocessor_config.json of the Transformers library; empty if it is none, or has no mean and standard deviation.
std::optional<StatedPreparation> libraryPreparation(const Json& preprocessor);

}

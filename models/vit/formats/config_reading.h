#pragma once

#include "core/data/preprocess/input_size.h"
#include "models/blocks/image_preparation.h"
#include "models/vit/formats/findings.h"
#include "models/vit/formats/plain_vits.h"
#include "models/vit/formats/translation.h"
#include "models/weights/companion_files.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// What the files next to a checkpoint say besides keys of the description.
struct ConfigReading {
    bool found = false;             ///< a config.json of a code that is known
    const PlainVit* vit = nullptr;  ///< timm's name
    std::string tag;                ///< of its weights
    std::optional<ImagePreparation> preparation;
    InputSize input;  ///< that its preprocessor makes of images
    std::string licence;
    std::vector<std::string> labels;
    std::vector<std::string> undecided;  ///< keys that it names in a way that is not known
    std::string refusal;                 ///< why such a network can't be run, if so
};

}

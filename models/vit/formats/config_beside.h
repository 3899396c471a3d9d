// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit/formats/findings.h"
#include "models/blocks/image_preparation.h"
#include "models/vit/formats/plain_vits.h"
#include "models/vit/formats/translation.h"
#include "models/weights/files_beside.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// What the files beside a checkpoint say besides keys of the description.
struct ConfigReading {
    bool found = false;               ///< a config.json of a code that is known
    const PlainVit* vit = nullptr;    ///< timm's name
    std::string tag;                  ///< of its weights
    std::optional<ImagePreparation> preparation;
    std::string licence;
    std::vector<std::string> labels;
    std::vector<std::string> undecided;  ///< keys that it names in a way that is not known
    std::string refusal;              ///< why such a network can't be run, if so
};

/// The image size that a config.json states, height and width; zeros if it states none.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> statedImageSize(const Json& config);

/// timm's config.json: in its own part and, in older files, in one flat object (docs/checkpoints.md).
[[nodiscard]] bool isTimmConfig(const Json& config);
void readTimmConfig(const Json& config, Findings& findings, ConfigReading& reading);

/// That of the Transformers library.
[[nodiscard]] bool isLibraryConfig(const Json& config);
void readLibraryConfig(const Json& config, const Translation& translation, Findings& findings, ConfigReading& reading);

/// preprocessor_config.json of the Transformers library.
[[nodiscard]] std::optional<ImagePreparation> readPreprocessor(const Json& preprocessor);

/// The key of a description for the name that codes have for an activation; empty if it is not known.
[[nodiscard]] std::string activationNamed(const std::string& name);

}  // namespace attnscope

#pragma once

#include "models/vit/formats/config_reading.h"

namespace attnscope {

/// The image size that a config.json states, height and width; zeros if it states none.
std::pair<int64_t, int64_t> statedImageSize(const Json& config);

/// timm's config.json: in its own part and, in older files, in one flat object (docs/checkpoints.md).
bool isTimmConfig(const Json& config);
void readTimmConfig(const Json& config, Findings& findings, ConfigReading& reading);

/// The key of a description for the name that codes have for an activation; empty if it is not known.
std::string activationNamed(const std::string& name);

}

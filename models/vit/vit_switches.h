#pragma once

#include "core/base/json.h"
#include "models/vit/vit_description.h"
#include "models/weights/config_reader.h"

/// The switches of family `vit`, as JSON spells them.
namespace attnscope {

/// Sizes are there already. Throws UsageError naming a key whose value is unknown, invalid, or does not go with another switch.
void readVitSwitches(const Json& config, const ConfigReader& reader, VitDescription& description);

/// Throws UsageError if there is one: the families deit and evit have none.
void refuseVitSwitches(const ConfigReader& reader);

/// Adds those that are not at their default.
void writeVitSwitches(const VitDescription& description, Json& json);

}

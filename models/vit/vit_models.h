#pragma once

#include "models/description_model.h"
#include "models/vit/vit_description.h"

#include <optional>
#include <vector>

namespace attnscope {

using NamedVit = NamedDescription<VitDescription>;

/// The named vision transformers: timm's names for DeiT, and evit.
const std::vector<NamedVit>& namedVits();

/// Recognises plain vision transformers (models/vit/formats), DeiT and evit; empty if a checkpoint belongs to another family.
std::optional<CheckpointIdentity> recogniseVit(const StateDict& state, const CompanionFiles& companions);

/// The entry of DeiT and evit in the table of families.
ModelFamily vitFamily();

}

#pragma once

#include "models/description_model.h"
#include "models/pvt/pvt_description.h"

#include <optional>
#include <vector>

namespace attnscope {

using NamedPvt = NamedDescription<PvtDescription>;

/// The named pyramids: timm's of PVTv2, and the LARA authors' forms (table 2 of their paper) of b1 to b5.
const std::vector<NamedPvt>& namedPvts();

/// Recognises PVTv2 and its form with LARA by the names and shapes of a checkpoint's tensors; empty if they belong to another family. Fills
/// everything but `model` and `labels`.
std::optional<CheckpointIdentity> recognisePvt(const StateDict& state, const CompanionFiles& companions);

/// The entry of PVTv2 and its form with LARA in the table of families.
ModelFamily pvtFamily();

}

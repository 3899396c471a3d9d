#pragma once

#include "models/weights/checkpoint_identity.h"
#include "models/weights/companion_files.h"

#include <optional>

namespace attnscope {

/// Recognises a plain vision transformer by its tensors, the files next to it, and timm's names with such tensors, in this order; what none of
/// them shows is undecided. Family `deit` where nothing distinguishes it from a DeiT: then only `num_heads` of its config counts, if it is
/// there. Empty if it is no plain vision transformer; without family, but with a title, if it is a known one that can't be run.
std::optional<CheckpointIdentity> recognisePlainVit(const StateDict& state, const CompanionFiles& companions);

/// The tensors of a checkpoint under the names that the network uses (models/vit/formats/translation.h).
NamedTensors plainVitTensors(const StateDict& state);

}

#pragma once

#include "models/description_model.h"
#include "models/motionformer/motionformer_description.h"

#include <optional>
#include <vector>

namespace attnscope {

using NamedMotionformer = NamedDescription<MotionformerDescription>;

/// The named Motionformers, with the 400 classes of Kinetics-400.
const std::vector<NamedMotionformer>& namedMotionformers();

/// Recognises Motionformer by the names and shapes of a checkpoint's tensors; empty if they belong to another family. Fills everything but
/// `model` and `labels`.
std::optional<CheckpointIdentity> recogniseMotionformer(const StateDict& state, const CompanionFiles& companions);

/// Motionformer's entry in the table of families.
ModelFamily motionformerFamily();

}

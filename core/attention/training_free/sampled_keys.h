#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Keys drawn with replacement, each with logit + w − log(S p): self-normalised importance sampling. p is uniform (by e^w), or half of it ridge
/// leverage k̂ᵀ(K̂ᵀK̂ + ridge·I)⁻¹k̂ of centred keys.
BackendInfo sampledKeysInfo();

}

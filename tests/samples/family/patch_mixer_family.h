#pragma once

#include "models/model_family.h"

namespace attnscope {

/// A family that is only here to be added: patches, layers of attention without MLPs, the mean of the tokens, a head.
ModelFamily patchMixerFamily();

}

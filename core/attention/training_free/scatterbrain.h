#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// A query's own block exactly and all others by positive random features, under one normaliser (Chen et al., Scatterbrain, NeurIPS 2021). The
/// features' sums over all blocks but one are joined from the sums before it and behind it, so that nothing cancels; published code subtracts.
BackendInfo scatterbrainInfo();

}

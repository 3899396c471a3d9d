#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Bipartite merging of keys alone: unlike token merging, queries stay. In every round keys alternate between A and B, each of A finds the one
/// of B with the largest cosine (keys around their mean), and the pairs that are nearest become one: means weighted by e^w, the sum of both
/// e^w. At most all of A go in a round; rounds end when `samples` are left. As many as there are keys: exact.
BackendInfo mergeInfo();

}

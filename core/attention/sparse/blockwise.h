#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax between pairs of blocks: A_i = {j : block(j) = π_h(block(i))}, block(i) = ⌊i·n/N⌋. The first heads
/// have π = identity, the others shift by 1, 2, …, n − 1, 1, …, or have random permutations. Source: Qiu et
/// al., arXiv 1911.02972. Prefix tokens are in no block and see and are seen by all. N²/n·(D+Dv)
/// multiply-adds a head. Throws UsageError for tiles whose number is not a square.
BackendInfo blockwiseInfo();

}

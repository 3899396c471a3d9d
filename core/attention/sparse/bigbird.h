#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over blocks: a query sees the blocks around its own, r further ones drawn for every head and block
/// (once for a seed and layer, also in evaluation), and the first and last one with `ends`, which then see
/// all. Blocks are tiles of b×b tokens, or runs of b² on a line. Source: Zaheer et al., NeurIPS 2020, section
/// 2 and appendix D. Prefix tokens see and are seen by all. N·b²·((2·radius+1)² + r)·(D+Dv) multiply-adds a
/// head.
BackendInfo bigbirdInfo();

}

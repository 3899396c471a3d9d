#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over two sets of a stride l, with i, j the row-major places of query and key. row-column: ⌊j/l⌋ =
/// ⌊i/l⌋, and j ≡ i (mod l); strided: |i − j| < l, and j ≡ i (mod l); fixed: ⌊j/l⌋ = ⌊i/l⌋, and l − c(g+1) ≤
/// j mod l < l − cg for the group g of the head. Source: Child et al., arXiv 1904.10509, sections 4.2 and
/// 4.3, in both directions instead of causal. Prefix tokens see and are seen by all. N·(l + N/l)·(D+Dv)
/// multiply-adds a head.
BackendInfo stridedInfo();

}

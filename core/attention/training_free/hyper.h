#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Blocks of similar tokens exactly, all other keys by a sample: in one softmax, a query's own block with logit + w and each of S keys outside it,
/// drawn with replacement with probability p, with logit + w − log(S p). Han et al., HyperAttention (arXiv 2310.05869), and the form that KDEformer
/// (Zandieh et al., ICML 2023) is used in. Tokens are sorted by sign tests of centred queries and keys, by the inverse Gray code of the signs.
BackendInfo hyperInfo();

}

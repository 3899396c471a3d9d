#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over each query's S largest logits only: the best possible with S keys, at the full cost of the logits, which are computed for a
/// block of queries at a time. Keys that tie with the S-th are kept.
/// Source: Gupta et al., Memory-efficient Transformers via Top-k Attention, 2021.
BackendInfo topKeysInfo();

}

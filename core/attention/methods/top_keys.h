// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over each query's S largest logits alone: the best that S keys can do, at the full cost of the logits, which are formed
/// for a block of queries at a time. Keys that tie with the S-th stay.
/// Source: Gupta et al., Memory-efficient Transformers via Top-k Attention, 2021.
BackendInfo topKeysInfo();

}  // namespace attnscope

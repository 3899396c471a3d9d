#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over the keys in the same hash bucket as the query in any of several rounds: h(x) = argmax [xR;
/// −xR] with R (D, b/2) normal, for each head and round. form=chunks: queries and keys, each ordered by
/// (bucket, place), are cut into C chunks; a query sees its chunk and the one before it. Source: Kitaev et
/// al., ICLR 2020, section 2, on separate queries and keys; hashed are q − mean q and k − mean k with
/// `center`. Prefix tokens are not hashed and see and are seen by all. rounds·D·(b/2)·(N+M) multiply-adds a
/// head for hashing, and (D+Dv) for every pair. Throws UsageError for more buckets than keys.
BackendInfo lshInfo();

}

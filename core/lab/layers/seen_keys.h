#pragma once

#include "core/attention/attention_backend.h"
#include "core/lab/layers/inspect.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnscope {

/// What the queries of one layer see, and how much of exact softmax's weight lies there: Σ_{m∈A_n} softmax_m(scale · q_n·k_m) for the set A_n
/// of query n. Empty for an attention that leaves no keys out. Costs an exact attention, a block of queries at a time.
std::optional<LayerKeys> seenKeys(const AttentionBackend& attention, const AttentionInput& in, NoiseSource& noise);

/// See LayerMaps::seen, of batch element 0.
std::vector<std::vector<float>> seenByQuery(const AttentionBackend& attention, const AttentionInput& in,
                                            NoiseSource& noise, int64_t query);

}

#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string_view>

namespace attnscope {

/// How far apart two places of a grid are, Δr rows and Δc columns: √(Δr² + Δc²), max(|Δr|, |Δc|) or |Δr| + |Δc|.
enum class DistanceMetric { Euclidean, Chebyshev, Manhattan };

/// "euclidean", "chebyshev", "manhattan".
DistanceMetric parseDistanceMetric(std::string_view name);

/// The places between which distances are measured.
enum class DistancePlaces {
    Grid,      ///< rows and columns where the grid is known, else a line
    Line,      ///< row-major order, |i − j|
    Sequence,  ///< all tokens in order, |i − j|: tokens before the grid have places as well
};

/// Distances of the queries of an attention to its keys, in tokens.
///
/// Tokens before the grid (class tokens) have no place and distance 0 to everything. Keys of another grid than the queries' stand for the
/// query place that their centre falls into: row ⌊(2i+1)H/(2h)⌋, column ⌊(2j+1)W/(2w)⌋; keys of which no grid is known for place
/// ⌊(2j+1)N/(2M)⌋ of the row-major line. Within frames (groups of keys) a query has its place in its own frame, and every frame of keys has
/// the same places; the tokens of several frames without groups are one line.
class TokenDistances {
public:
    TokenDistances(const AttentionInput& input, DistanceMetric metric, DistancePlaces places);

    /// Queries [begin, end) and the first `keys` keys of a group → (end − begin, keys), float64 on the input's device.
    at::Tensor between(int64_t begin, int64_t end, int64_t keys) const;

private:
    struct Places {
        at::Tensor row, column;  ///< (tokens) float64
        at::Tensor placed;       ///< (tokens) 0 for tokens without a place, else 1
    };

    DistanceMetric m_metric;
    Places m_queries, m_keys;
};

}

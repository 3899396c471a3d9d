#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/option.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace attnscope {

/// Queries and keys in blocks of similar tokens, as many of the ones as of the others.
struct TokenBlocks {
    /// The token at each place, (B,H,N) and (B,H,M) int64; undefined: as they are.
    at::Tensor queryOrder, keyOrder;
    std::vector<int64_t> queryBounds, keyBounds;  ///< block i has places [bounds[i], bounds[i + 1])

    int64_t count() const { return int64_t(keyBounds.size()) - 1; }
    at::Tensor sortedQueries(const at::Tensor& x) const;  ///< x (B,H,N,·) by place
    at::Tensor sortedKeys(const at::Tensor& x) const;     ///< x (B,H,M,·) by place
    /// The block of each query (B,H,N) or key (B,H,M), int64.
    at::Tensor blockOfQuery(const AttentionInput& in) const;
    at::Tensor blockOfKey(const AttentionInput& in) const;
    AttentionInput sorted(AttentionInput in) const;  ///< queries, keys, values and weights by place
    at::Tensor unsorted(const at::Tensor& x) const;  ///< x (B,H,N,·) by place → by query
};

/// How blocks are formed.
enum class BlockOrder { Automatic, Windows, Segments, Hashes };

/// The option `order`, which is `first` unless it says otherwise, and, for hashes, `bits`.
std::vector<OptionInfo> blockOrderOptions(const std::string& first = "auto");
BlockOrder blockOrderOf(const AttentionSpec& spec);

/// Blocks of about `block` keys. Windows: cells of side round(√block) of the grid that queries and keys share; Automatic: those, or segments
/// where there is no such grid. Hashes: queries and keys sorted by their signs on `planes` (H,bits,D), taken as a Gray code, so that
/// neighbours differ in one sign. Throws UsageError for windows without a grid.
TokenBlocks tokenBlocks(const AttentionInput& in, int64_t block, BlockOrder order, const at::Tensor& planes);

/// How many blocks `tokenBlocks` forms, at most.
int64_t blockCount(int64_t keys, int64_t block);

/// Exact attention of each block of queries to its own block of keys, joined with what `others` estimates of the keys of all other blocks:
/// of a block, `in` with its queries alone. `sorted`: by place; the result is by query.
AttentionPart attendToOwnBlocks(
    const AttentionInput& sorted, const TokenBlocks& blocks,
    const std::function<AttentionPart(int64_t block, const AttentionInput& in)>& others);

/// Weighted means of the places of each block and the log of Σ e^w: x (B,H,M,·), w (B,H,M) or undefined → (B,H,blocks,·), (B,H,blocks).
struct BlockMeans {
    at::Tensor means, logMass;
};
BlockMeans blockMeans(const at::Tensor& x, const at::Tensor& logWeights, const std::vector<int64_t>& bounds);

}

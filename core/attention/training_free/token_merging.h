#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/network/token_spec.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <vector>

/// Merging of similar tokens (Bolya et al., Token Merging: Your ViT But Faster, ICLR 2023, equations 1 and 2), and the matching that it shares
/// with methods that merge keys alone.
namespace attnscope {

/// What is matched of T rows in a sequence.
struct MatchRequest {
    int64_t count = 0;            ///< rows to merge, at most half of those that are not protected, rounded up
    int64_t protectedTokens = 0;  ///< the first so many stay
    MergeOrder order = MergeOrder::Position;
    bool ownKernels = false;  ///< for float32 on the CPU
};

/// Which rows merge into which, (P,…) for P sequences: indices before merging.
struct TokenMatching {
    at::Tensor sources, targets;  ///< (P,count)
    at::Tensor survivors;         ///< (P,T−count), in the new order
};

/// Bipartite soft matching: rows that are not protected alternate between A and B; every a takes the b of largest cosine (ties: the first), and
/// the `count` a's with the largest merge (ties: the first). metric (P,T,D); ¼T²D multiply-adds each. Without gradients.
TokenMatching matchTokens(const at::Tensor& metric, const MatchRequest& request);

/// Rows and how many each stands for.
struct SizedRows {
    at::Tensor rows;   ///< (P,T,C)
    at::Tensor sizes;  ///< (P,T,1)
};
/// Means weighted by size; sizes add up. Rows of size 0 stay what they are.
SizedRows mergeRows(const SizedRows& tokens, const TokenMatching& matching);

/// How many tokens merge behind the attention of each layer.
struct MergePlan {
    std::vector<int64_t> counts;  ///< empty, or all 0: no token merges
    MergeOrder order = MergeOrder::Position;

    bool merges() const;
    /// Whether tokens have merged before the attention of layer `layer`.
    bool mergesBefore(int64_t layer) const;
    /// Tokens that enter each layer, and those behind the last: of `tokens`, the first `prefix` of which never merge.
    std::vector<int64_t> tokensOf(int64_t layers, int64_t tokens, int64_t prefix) const;
    /// Merging in this layer alone.
    MergePlan only(int64_t layer) const;
};

/// Tokens that merge in a block, of `tokens`.
int64_t mergeable(int64_t tokens, int64_t prefix);

/// Throws UsageError if `spec` merges more tokens in a block than there can be pairs.
void requireMergeable(const AttentionSpec& spec, int64_t tokens, int64_t prefix);

/// The attention of a layer whose tokens have merged: they are a line, and weigh as many as they stand for. `whole` is the specification that
/// a refusal is about. Throws UsageError for an attention that can't do with that.
std::shared_ptr<AttentionBackend> makeBehindMerging(const AttentionSpec& spec, const BackendContext& context,
                                                    const AttentionSpec& whole);

/// Multiply-adds of finding `count` pairs among `tokens` by keys of D channels.
double matchingMultiplyAdds(int64_t tokens, int64_t prefix, int64_t count, int64_t width);

/// The tokens of one pass while they merge.
class TokenMerger {
public:
    /// `layout` of the tokens before any has merged.
    TokenMerger(const MergePlan& plan, const TokenLayout& layout);

    /// Tokens x (B,T,C) behind the attention of layer `layer` with keys k (B,H,T,D) → (B,T−r,C), means weighted by size.
    at::Tensor merge(int64_t layer, const at::Tensor& x, const at::Tensor& k);
    bool hasMerged() const { return m_sizes.defined(); }
    /// log size for each of H heads, (B,H,T): key log-weights under which a merged token counts as many as it stands for. Undefined before
    /// the first merging.
    at::Tensor keyLogWeights(int64_t heads) const;
    /// Where the tokens stand now: behind the first merging without a grid. And where they stood.
    TokenLayout layout() const;
    const TokenLayout& firstLayout() const { return m_layout; }
    int64_t tokens() const { return m_tokens; }

    /// (B,N): the token that each of the first ones has become part of. Undefined before the first merging.
    const at::Tensor& places() const;
    /// (B,T): which of the first tokens a token's place is, that of the one it was merged into.
    const at::Tensor& origins() const { return m_origins; }
    /// One row for each of the first tokens: x (B,T,…) → (B,N,…). Other row numbers, and tokens before any merging, stay.
    at::Tensor unmerged(const at::Tensor& x, int64_t dim = 1) const;

private:
    const MergePlan& m_plan;
    TokenLayout m_layout;
    int64_t m_tokens = 0;                     // now
    at::Tensor m_sizes;                       // (B,T)
    at::Tensor m_origins;                     // (B,T)
    mutable at::Tensor m_places;              // (B,N), up to the steps that are not composed yet
    mutable std::vector<at::Tensor> m_steps;  // (B,T) → (B,T−r) each
};

}

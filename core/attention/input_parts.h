#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// Parts of an attention's input that are treated on their own: groups of keys, prefix tokens, keys of which none counts.
namespace attnscope {

/// Each group of keys as an input of its own.
inline std::vector<AttentionInput> groupsOf(const AttentionInput& input)
{
    std::vector<AttentionInput> groups;
    const int64_t each = input.k.size(2) / input.keyGroups;
    for (int64_t g = 0; g < input.keyGroups; ++g) {
        groups.push_back(input.keyGroups == 1 ? input : withKeys(input, g * each, (g + 1) * each));
        groups.back().keyGroups = 1;
    }
    return groups;
}

/// How many of `count` tokens of this layout are prefix tokens.
inline int64_t prefixOf(const TokenLayout& tokens, int64_t count)
{
    return !tokens.hasGrid() || tokens.count() == count ? std::min(tokens.prefix, count) : 0;
}

inline int64_t prefixQueries(const AttentionInput& in)
{
    return prefixOf(in.tokens, in.q.size(2));
}

/// None among the keys of frames, and of keys that are not those of the queries only those that `keyTokens` names.
inline int64_t prefixKeys(const AttentionInput& in)
{
    if (in.keyGroups > 1)
        return 0;
    const bool own = in.keyTokens.hasGrid() || in.keyTokens.prefix > 0;
    return own || in.k.size(2) != in.q.size(2) ? prefixOf(in.keyTokens, in.k.size(2))
                                               : prefixOf(in.tokens, in.k.size(2));
}

/// All but prefix tokens, as far as there are others.
inline AttentionInput patchesOf(const AttentionInput& in)
{
    AttentionInput patches = withKeys(withQueries(in, prefixQueries(in), in.q.size(2)), prefixKeys(in),
                                      in.k.size(2));
    patches.tokens.prefix = patches.keyTokens.prefix = 0;
    return patches;
}

/// Groups of keys of which none counts: methods see them as they are without weights, and what comes out is thrown away.
class EmptyGroups {
public:
    explicit EmptyGroups(AttentionInput& in)
    {
        if (!in.keyLogWeights.defined())
            return;
        const auto weights = in.keyLogWeights.unflatten(2, {in.keyGroups, -1});  // (B,H,G,M/G)
        m_empty = weights.isneginf().all(-1);
        in.keyLogWeights = weights.masked_fill(m_empty.unsqueeze(-1), 0).flatten(2);
    }

    /// (B,H,N,Dv), or (B,H,N,G,Dv), with 0 for them.
    at::Tensor cleared(const at::Tensor& out) const
    {
        if (!m_empty.defined())
            return out;
        const auto empty = m_empty.unsqueeze(2).unsqueeze(-1);  // (B,H,1,G,1)
        return out.masked_fill(out.dim() == 5 ? empty : empty.squeeze(3), 0);
    }

    /// The same with normalisers −∞.
    AttentionPart cleared(AttentionPart part) const
    {
        part.out = cleared(part.out);
        if (m_empty.defined())
            part.logNormaliser = part.logNormaliser.masked_fill(m_empty, -std::numeric_limits<double>::infinity());
        return part;
    }

private:
    at::Tensor m_empty;  // (B,H,G); undefined: all keys count
};

}

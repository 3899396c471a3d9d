// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/sparse/key_pattern.h"

#include <memory>

namespace attnscope {

/// Softmax over an allowed set of keys for every query (sparse_softmax.h); a method says which.
class SparseAttention : public AttentionBackend {
public:
    SparseAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_tokens(context.tokens)
    {}

    /// Pairs of query and key that are allowed × (D + Dv), and what finding them costs.
    [[nodiscard]] double multiplyAdds(const AttentionShape& shape) const override;

protected:
    /// The sets of one call: of all elements and heads of `in`, or of any input of these places where
    /// contents do not matter.
    [[nodiscard]] virtual std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                                      NoiseSource& noise) const = 0;

    [[nodiscard]] at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override;
    [[nodiscard]] AllowedPairs countAllowed(const AttentionInput& in, NoiseSource& noise) const override;

    static SparsePlaces placesIn(const AttentionInput& in);
    [[nodiscard]] const TokenLayout& tokens() const { return m_tokens; }

private:
    TokenLayout m_tokens;
};

}  // namespace attnscope

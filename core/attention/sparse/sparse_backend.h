#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/key_sets.h"
#include "core/attention/sparse/key_pattern.h"
#include "core/attention/sparse/sparse_softmax.h"

#include <memory>

namespace attnscope {

/// Softmax over an allowed set of keys for every query (sparse_softmax.h); a method says which.
class SparseAttention : public AttentionBackend {
public:
    SparseAttention(const AttentionSpec& spec, const BackendContext& context);

    /// Pairs of query and key that are allowed × (D + Dv), and what finding them costs.
    double countMultiplyAdds(const AttentionShape& shape) const override;

protected:
    /// The sets of one call: of all elements and heads of `in`, or of any input of these places where
    /// contents do not matter.
    virtual std::shared_ptr<const KeyPattern> pattern(const AttentionInput& in, SparsePlaces places,
                                                      NoiseSource& noise) const = 0;

    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource& noise) const override;
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override;
    AllowedPairs countAllowed(const AttentionInput& in, NoiseSource& noise) const override;

    /// A method that computes more than sparseSoftmax does so in float32.
    bool takesHalf(const AttentionInput& in) const override;

    static SparsePlaces placesIn(const AttentionInput& in);
    const TokenLayout& tokens() const { return m_tokens; }
    SparseKernel kernel() const { return m_kernel; }

private:
    TokenLayout m_tokens;
    SparseKernel m_kernel;
};

/// The sets of a pattern on `keys` keys. Keys that it lists behind them are summaries.
std::shared_ptr<const KeySets> keySetsOf(std::shared_ptr<const KeyPattern> pattern, int64_t keys);

}

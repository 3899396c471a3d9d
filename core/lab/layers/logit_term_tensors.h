#pragma once

#include "core/lab/layers/logit_terms.h"
#include "core/run/first_layer.h"

#include <ATen/ATen.h>

namespace attnscope {

/// LayerNorm is linear once the standard deviation σ_i of each whole token x_i = e_i + p_i is known: LN(x_i) = (e_i − ē_i)/σ_i ⊙ γ
/// + (p_i − p̄_i)/σ_i ⊙ γ + β. So q_i = q_i^c + q_i^p + q⁰ with q⁰ = W_q β + b_q, k_j alike, and scale · q_i·k_j is a sum of nine products:
/// six terms, and three with k⁰ that do not depend on j.
/// Source: Dai et al., Transformer-XL, ACL 2019, equations in section 3.3 (its u and v stand for q⁰). Computed in float64.
class LogitTerms {
public:
    /// Throws UsageError if the sizes do not fit each other.
    explicit LogitTerms(const FirstLayer& layer);

    int64_t tokens() const { return m_queries[0].size(1); }
    int64_t heads() const { return m_queries[0].size(0); }
    /// The terms of queries [begin, end): (H, end − begin, N) each; they add up to the scaled logits.
    ByLogitTerm<at::Tensor> rows(int64_t begin, int64_t end) const;
    /// See LogitTermReport::fractions; (H) each.
    ByLogitTerm<at::Tensor> fractions(std::stop_token stop = {}) const;

private:
    using Parts = std::array<at::Tensor, 3>;  // content, position, constant: (H,N,D)

    Parts m_queries, m_keys;  // queries are scaled
    int64_t m_keyGroups;
};

/// The terms' sum.
at::Tensor sumOf(const ByLogitTerm<at::Tensor>& terms);

}

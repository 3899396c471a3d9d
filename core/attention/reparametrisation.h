#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/option.h"

#include <ATen/ATen.h>

#include <vector>

namespace attnscope {

/// Which means are subtracted: softmax stays the same.
enum class Center { None, Keys, Both };

/// The options `center` and `center_mean`.
std::vector<OptionInfo> centeringOptions();
Center centerOf(const AttentionSpec& spec);

/// What the options say: c (B,H,1,D) of the queries, 0 unless Both, and m of the keys, 0 for None.
struct TokenMeans {
    at::Tensor queries, keys;
};
TokenMeans tokenMeans(const AttentionInput& in, const AttentionSpec& spec);

/// q − c and k − m with log-weights w + s c·(k − m), and landmarks alike: softmax over them is that of `in`.
AttentionInput centredInput(AttentionInput in, const TokenMeans& means);

/// s q_n·m, which that takes from every logit of query n: (B,H,N).
at::Tensor centringOffset(const AttentionInput& in, const at::Tensor& keyMean);

/// Whether keys are multiplied by a diagonal P⁻¹, or their samples: ω·P⁻¹k = P⁻¹ω·k, ‖P⁻¹k‖² = Σ_l P_ll⁻² k_l².
enum class KeysUnder { Map, Samples };

/// Changes of q, k and the samples that leave softmax as it is and make the estimate of positive random features better.
///
/// - `center`: softmax does not change under k → k − m, nor under q → q − c with key weights exp(scale · c·(k − m)). For features this is the
///   same as drawing samples from N(ĉ + m̂, I) instead of N(0, I), with importance weights: c the mean of the queries, m that of the keys.
/// - `balance`: nor under q → Pq, k → P⁻ᵀk. Least E‖Pq‖² + E‖P⁻ᵀk‖², which the variance grows with: among diagonal P FAVOR#'s (Likhosherstov et
///   al., arXiv 2302.00787), among all P the optimal-transport map from N(0, Cov q) to N(0, Cov k).
/// - `oprf`: samples from N(·, (1 − 4A) I), wider, with the best A for the mean of ‖q̂ + k̂‖² (FAVOR++, Likhosherstov et al., NeurIPS 2022).
class Reparametrisation {
public:
    /// From the options below.
    explicit Reparametrisation(const AttentionSpec& spec);
    static std::vector<OptionInfo> options();

    bool changesNothing() const { return m_center == Center::None && m_balance == Balance::None && !m_oprf; }

    struct Result {
        at::Tensor k;  ///< P⁻ᵀk, or k itself
        /// P⁻¹ω (B,H,S,D), for keys that stay as they are, as k is then; undefined: k is P⁻ᵀk.
        at::Tensor omegaOfKeys;
        /// P⁻² (B,H,1,D), by which their squares are to be multiplied: ‖P⁻¹k‖² = Σ_l P_ll⁻² k_l².
        at::Tensor keySquares;
        at::Tensor keyMean;  ///< m (B,H,1,D), which was subtracted from k; undefined: nothing
        at::Tensor map;      ///< P (B,H,D,D), or its diagonal (B,H,1,D); undefined: queries stay as they are
        at::Tensor omega;    ///< samples (B,H,S,D), in the space of scaled inputs
        at::Tensor omegaOfQueries;  ///< Pω, for queries that stay as they are: ω·Pq = Pω·q; undefined without P
        at::Tensor logWeight;       ///< log N(ω; 0, I)/q(ω) − log S, (B,H,S); undefined where nothing changes

        /// Pq, for the same `omega` as the keys'.
        at::Tensor queries(const at::Tensor& q) const;
    };
    /// `omega` (H,S,D) of N(0, I), which is returned as it is where nothing changes. Means and covariances are over all queries and all keys of a head, all groups of keys together.
    Result apply(const AttentionInput& input, const at::Tensor& omega, KeysUnder diagonal) const;

    double multiplyAdds(const AttentionShape& shape) const;

private:
    enum class Balance { None, Diagonal, Full };

    AttentionSpec m_spec;
    Center m_center;
    Balance m_balance;
    bool m_attended, m_oprf;
};

}

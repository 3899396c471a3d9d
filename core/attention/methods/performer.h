#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Positive random features: y_n = φ(q_n)ᵀ Σ_m φ(k_m) v_mᵀ / φ(q_n)ᵀ Σ_m φ(k_m), φ_s(x) = exp(ω_sᵀx̂ − ½‖x̂‖²) / √S, ω_s ~ N(0, I).
/// Choromanski et al., ICLR 2021, lemma 1; LARA paper, equation 2. Biased ratio, consistent in S; variance grows with
/// exp(‖q̂ + k̂‖²). Evaluated in the log domain without floors, unless `floors` selects the constants of a published code. 2·S·(N+M)·D
/// multiply-adds per head, extra memory S·(N+M) + S·D. One ω (H,S,D) is shared by all tokens and samples.
BackendInfo performerInfo();

}

#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// φ(x) = elu(x) + 1: y_n = φ(q_n)ᵀ Σ_m φ(k_m) v_mᵀ / (φ(q_n)ᵀ Σ_m φ(k_m) + ε).
/// Source: Katharopoulos et al., Transformers are RNNs, ICML 2020, equations 4 to 7. No D^-½ in the original. Linear: 2·D²·(N+M)
/// multiply-adds per head. A different kernel from softmax's: a network must be trained with it.
BackendInfo eluInfo();

}

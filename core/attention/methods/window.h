#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax within non-overlapping windows of w×w queries; keys come from the same window, widened by a margin on each side, with a learned
/// bias for each offset if the weights have one (`local_relative_position_bias_table`). Class tokens attend to all keys and are keys of
/// every window. Windows at the border are truncated. Without a grid, windows are runs of w·w tokens. Source: the LARA authors' library,
/// `local`. N·(w+2m)²·(D+Dv) multiply-adds per head.
BackendInfo localInfo();

/// Local softmax with one summary of each of C chunks in the same normaliser: logits s·q·k̄_c and values Σ_j softmax_j(log ξ(k̂_j, ω̂_c))
/// v_j over the chunk, ω_c = ½(q̄_c + k̄_c) + ε, with chunk means q̄, k̄ after learned maps (`adaptive_mu_q`, `adaptive_mu_k`) if the
/// weights have them.
/// Source: Zheng et al., Efficient Attention via Control Variates, ICLR 2023, and the authors' library.
BackendInfo evaInfo();

}

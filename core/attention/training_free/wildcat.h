#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Weighted coreset of keys (WildCat). With centred keys k and g = √s k/τ, τ from the largest lengths of queries and keys, a few pivots S are
/// chosen by randomly pivoted Cholesky of h(x,y) = exp(−½‖g_x − g_y‖²), and W = H_SS⁻¹ H_S spreads all keys over them:
///   out_n = Σ_r e_nr (Σ_m W_rm u_m v_m) / Σ_r e_nr (Σ_m W_rm u_m), e_nr = exp(s q_n·k_r − ½‖g_r‖²), u_m = exp(½‖g_m‖² + w_m).
/// Weights may be negative: values are taken relative to the middle of their range, where a denominator that is nothing but rounding error
/// leaves the output, and outputs are clipped to that range. Pivots stop where every residual is below 1e-6: what is left is explained.
BackendInfo wildcatInfo();

}

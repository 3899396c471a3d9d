#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// LARA: self-normalised multiple importance sampling with C proposals around landmarks (LARA paper, equations 10, 28, 32–38):
/// y_n = Σ_c α_nc p̃_n(ω_c)/q_c(ω_c) f(ω_c) / Σ_c α_nc p̃_n(ω_c)/q_c(ω_c), ω_c ~ q_c.
/// C·(N+M)·D + C²·D multiply-adds per head, extra memory C·(N+M) + C². Landmarks come from the patch tokens only; class tokens are queries
/// and keys like any other. Learned landmark maps (q_bar_gen, k_bar_gen) are used if the checkpoint has them. Negative weights (decoupled;
/// coupled with β > 1) are raised to alpha_floor, which gives up exact consistency; 0 keeps the sign.
BackendInfo laraInfo();

}

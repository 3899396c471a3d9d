#pragma once

#include "core/attention/backend_info.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// α_h of ALiBi: 2^(−8(h+1)/H) for H a power of two; else the slopes of the power P below, then every second one (first, third, …) of those
/// of 2P. Source: Press et al., section 3, and the authors' code for other numbers of heads.
std::vector<double> alibiSlopes(int64_t heads);

/// Linear bias: y_n = Σ_m softmax_m(scale · q_n·k_m − slope·α_h·R_nm) v_m with R the distance in tokens (TokenDistances) and
/// α_h those of `alibiSlopes`.
/// `causal`: all tokens in order, R = n − m ≥ 0, as published; it needs N = M and throws UsageError for frames.
/// Source: Press et al., ICLR 2022. slope = 0 is softmax. N·M·(D+Dv) multiply-adds per head, half of it if causal; deterministic.
BackendInfo alibiInfo();

/// Distance-enhanced scores: y_n = Σ_m softmax_m(ReLU(scale · q_n·k_m) f(α_h R_nm)) v_m, f(R) = (1 + e^β) / (1 + e^(β − R)), f(0) = 1:
/// α < 0 moves the logits of distant keys towards 0, α > 0 multiplies them by up to 1 + e^β.
/// Source: Wu et al., NAACL 2021. α and β are learned there, one for each head: recorded tensors `alpha` and `beta` (H) replace the options,
/// and UsageError is thrown if they have another shape. relu = false and alpha = 0 is softmax. N·M·(D+Dv) multiply-adds per head;
/// deterministic.
BackendInfo distanceInfo();

}

#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Random feature attention with φ(x) = S^-½ [sin ω_s·x, cos ω_s·x] (2S entries), ω_s ~ N(0, I): Peng et al., ICLR 2021.
/// norm=exact: scaled q and k, keys weighted by exp(½‖k̂‖²), which estimates softmax (LARA paper, section 2.2).
/// norm=unit: q/‖q‖ and k/‖k‖, temperature in σ: the published layer, which differs from softmax for given weights. The denominator keeps
/// its sign and is kept at least `floor` away from zero after division by the largest key weight; errors are heavy-tailed. 4·S·(N+M)·D
/// multiply-adds per head; extra memory 2S·(N+M) + 2S·D.
BackendInfo rfaInfo();

}

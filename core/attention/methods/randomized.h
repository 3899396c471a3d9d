#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Randomized attention (RA): y_n = 1/S Σ_s f_n(ω_ns), f_n(ω) = softmax_m(ω·k̂_m − ½‖k̂_m‖²) · v, LARA paper, equations 5–7 and 29–31.
/// mode=unbiased: ω = q̂_n + k̂_z + ε, z ~ softmax(q̂_n·k̂): its expectation over z and ε is softmax attention (noise=unit).
/// mode=biased: ω = q̂_n + Σ_m π_nm k̂_m + ε (equation 31). mode=mean-key: ω = q̂_n + mean_m k̂_m + ε (authors' code).
/// Quadratic time; works in blocks of queries, so that its extra memory is S·block·M per head. One uniform number u for each sample, head,
/// query and feature selects z, the first m with u < π_1 + … + π_m.
BackendInfo randomizedInfo();

}

#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// One softmax over the prefix, a sliding window, and C summaries: keys [prefix | window | k̄_c (+ log n_c)],
/// values [v | v | z_c], with means q̄, k̄, v̄ over the cells of a grid. z_c = v̄_c, or what q̄_c finds with
/// one softmax over [prefix | all k̄ | tokens]. Prefix queries see all tokens. Source: Ainslie et al., EMNLP
/// 2020, with summaries made anew in every layer instead of learned ones. N·((2w+1)² + C + P)·(D+Dv)
/// multiply-adds a head, and C·(P + C + N)·(D+Dv) for attended values. Throws UsageError where keys are not
/// those of the queries: reduced keys, or the frames of a video.
BackendInfo etcInfo();

}

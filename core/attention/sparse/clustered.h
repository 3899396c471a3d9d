#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Queries of a cluster share the weights A_c = softmax(s·q̄_c·k) of their mean q̄_c. topk = 0: out_n =
/// A_{a(n)} v; topk = k: the k largest weights T_c of A_c, of mass m_c, are weighed again by each query,
/// out_n = m·Σ_{m∈T} softmax_T(s·q_n·k_m) v_m + Σ_{m∉T} A_{a(n)m} v_m. Clusters: Lloyd's k-means on the patch
/// queries, an empty cluster keeps its centre. Prefix queries see all exactly. Source: Vyas et al., NeurIPS
/// 2020, sections 3.2 and 3.3, with plain k-means instead of hashed queries. (iterations + 1)·N·C·D +
/// C·M·(D+Dv) + N·k·(D+Dv) multiply-adds a head. Recorded `starts` that name no query throw UsageError.
BackendInfo clusteredInfo();

}

#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax with a soft mask by distance: a_nm ∝ m_z(x_nm)·exp(s·q_n·k_m), m_z(x) = clip((R + z − x)/R, 0, 1),
/// with a span z for each head. Source: Sukhbaatar et al., ACL 2019, in both directions and with x = 0 for
/// the token itself. Prefix tokens are at distance 0 of all. Multiply-adds: (D+Dv) for every key with x < R +
/// z.
BackendInfo spanInfo();

}

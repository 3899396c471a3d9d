#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Kernel halving (Thinformer), for any number of weighted keys: in every round the keys are split into runs of bucket·2^round, and of each pair
/// of neighbours in a run one survives with the weight of both, by a self-balancing walk with the kernel
/// κ = exp(k̂·k̂' − max‖k̂‖²)(v·v' + max|v|²). An odd last key passes. No round: exact.
BackendInfo thinInfo();

}

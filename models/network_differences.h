#pragma once

#include "core/lab/networks/network_comparison.h"
#include "models/open_model.h"

namespace attnscope {

/// Adds what differs in the weights of two networks, tensor by tensor under the names of their family's original code, and in what describes
/// them. Throws what opening them throws.
void addDifferences(const ModelRequest& first, const ModelRequest& second, NetworkComparison& comparison);

}

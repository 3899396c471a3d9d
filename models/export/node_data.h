#pragma once

#include "core/base/json.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/networks/network_comparison.h"

#include <map>
#include <string>
#include <vector>

/// Numbers that Google's Model Explorer shows in the graph of an exported network: its "custom node data".
namespace attnscope {

/// One of what it can show.
struct NodeData {
    std::string name;  ///< "drift"
    std::map<std::string, double>
        values;  ///< by part of the network as operators are named after it: "blocks.3.attn"
};

/// The error of an attention in each layer, at the exact pass's q, k and v.
NodeData nodeData(const InspectedAttention& attention);
/// Drift, CKA with the block of the same number, and the largest relative change among the tensors of each part; without those that the
/// comparison does not have.
std::vector<NodeData> nodeData(const NetworkComparison& comparison);

/// The file: each of these operators has the value of the innermost part that it is in, unless there is none.
Json toJson(const NodeData& data, const std::vector<std::string>& operators);

}

#pragma once

#include "core/run/compare.h"
#include "models/open_model.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

/// Networks next to each other: which column stands in which, each opened once. Independent of torch.
namespace attnscope {

/// The columns that stand for `attention` with the weights of `checkpoints`: an attention that names no checkpoint (AttentionSpec::checkpoint)
/// is a column with each of them, another one with that alone. Columns of the first checkpoint name none, others its number; of `dtype`,
/// which all compute in that name none, columns say nothing. Throws UsageError for a number or a path that is none of the checkpoints.
std::vector<AttentionSpec> columnsOf(const std::vector<AttentionSpec>& attention,
                                     const std::vector<std::string>& checkpoints, const std::string& dtype);

/// What opens a column's network: its checkpoint, in its type. The column is as `columnsOf` makes it.
ModelRequest requestFor(const AttentionSpec& column, const std::vector<ModelRequest>& checkpoints);

using NetworkOpener = std::function<std::shared_ptr<const Classifier>(const ModelRequest&)>;

/// Opens the networks of these columns, each checkpoint once for each type that it computes in, the first one anyway. One that cannot be
/// opened, or takes another kind of input than the first, has a `failure`. `hashFiles`: also fills ComparedNetwork::source's hash, which may
/// take longer than opening. Throws what opening the first throws.
std::vector<ComparedNetwork> openNetworks(const std::vector<ModelRequest>& checkpoints,
                                          const std::vector<AttentionSpec>& columns, bool hashFiles,
                                          const NetworkOpener& open = openModel);

/// Fills in `sameClasses` of a network that was opened, or takes it away and says why it cannot be compared with the first.
void compareWith(const ComparedNetwork& first, ComparedNetwork& network);

/// Without columns that are the same as one before: `native` is what its network's description says.
std::vector<AttentionSpec> withoutEqualColumns(const std::vector<AttentionSpec>& columns,
                                               const std::vector<ComparedNetwork>& networks);

}

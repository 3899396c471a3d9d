// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle/pickle.h"
#include "core/checkpoint/zip_directory.h"

#include <functional>

namespace attnscope {

/// What the two containers of torch.save differ in.
struct TorchContainer {
    std::string name;  ///< "torch zip" or "torch legacy"
    std::shared_ptr<const ByteSource> source;
    bool bigEndian = false;
    /// Where a storage's bytes are. Throws FileError when the container has no such storage.
    std::function<ByteRange(const PickleStorage&)> find;
};

/// The weights in a pickle: the dictionary of tensors that chooseWeights finds. Each view is checked against its storage; values beside the weights become metadata. Throws FileError where
/// there are no weights.
StateDict weightsOf(const PickleGraph& graph, const TorchContainer& container, const CheckpointOptions& options);

}  // namespace attnscope

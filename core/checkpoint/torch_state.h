#pragma once

#include "core/checkpoint/pickle/pickle.h"
#include "core/checkpoint/zip_directory.h"

#include <functional>

namespace attnscope {

/// The differences between the two containers of torch.save.
struct TorchContainer {
    std::string name;  ///< "torch zip" or "torch legacy"
    std::shared_ptr<const ByteSource> source;
    bool bigEndian = false;
    /// The location of a storage's bytes. Throws FileError if the container has no such storage.
    std::function<ByteRange(const PickleStorage&)> find;
};

/// The weights in a pickle: the dictionary of tensors that chooseWeights finds. Each view is checked against its storage; values next to
/// the weights become metadata. Throws FileError if there are no weights.
StateDict weightsOf(const PickleGraph& graph, const TorchContainer& container, const CheckpointOptions& options);

/// A file of torch.save since 1.6: a zip archive of a pickle (`ROOT/data.pkl`) and of storages (`ROOT/data/KEY`). Throws FileError for
/// TorchScript programs, other archives, and everything that readZipDirectory and readPickle reject.
StateDict readTorchZip(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options = {});

/// Whether a file starts with the pickled magic number of torch.save before 1.6.
bool isTorchLegacy(const ByteSource& source);

/// A file of torch.save before 1.6: five pickles (magic number, protocol, system, object, storage keys), then for each key the number of
/// elements as int64 and the elements. Throws FileError for any inconsistency.
StateDict readTorchLegacy(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options = {});

}

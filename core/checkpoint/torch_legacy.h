// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

namespace attnscope {

/// Whether a file starts with the pickled magic number of torch.save before 1.6.
bool isTorchLegacy(const ByteSource& source);

/// A file of torch.save before 1.6: five pickles (magic number, protocol, system, object, storage keys), then for each key the number of
/// elements as int64 and the elements. Throws FileError for any inconsistency.
StateDict readTorchLegacy(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options = {});

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

namespace attnscope {

/// A file of torch.save since 1.6: a zip archive of a pickle (`ROOT/data.pkl`) and of storages (`ROOT/data/KEY`). Throws FileError for
/// TorchScript programs, other archives, and everything that readZipDirectory and readPickle reject.
StateDict readTorchZip(std::shared_ptr<const ByteSource> source, const CheckpointOptions& options = {});

}  // namespace attnscope

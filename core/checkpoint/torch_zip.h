// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <memory>

namespace attnscope {

/// What torch.save writes since 1.6: a stored zip with <root>/data.pkl and one record a storage. Tensors under `model`,
/// `state_dict` or `model_state`, or at the top; `module.` prefixes are taken off. Only the directory and the pickle are read.
StateDict readTorchZip(std::shared_ptr<const ByteSource> source, const Limits& limits = {});

}  // namespace attnscope

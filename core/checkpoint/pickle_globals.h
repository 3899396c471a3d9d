// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <optional>
#include <string>

namespace attnscope {

/// What a name in a pickle stands for. Nothing is ever imported or called; this is the whole list of names that are understood.
enum class GlobalMeaning {
    Unknown,           ///< calling it is refused; as a class it becomes an inert record
    OrderedDict,
    RebuildTensor,     ///< (storage, offset, size, stride, …) → a checked view
    RebuildParameter,  ///< (tensor, …) → that tensor
    TorchSize,
    StorageType,
    Inert,             ///< harmless values beside the weights (devices, NumPy scalars, sets): kept as a record without content
};

GlobalMeaning globalMeaning(const std::string& name);

/// "torch.FloatStorage" and its siblings.
std::optional<ElementType> storageType(const std::string& name);

}  // namespace attnscope

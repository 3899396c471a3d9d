// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <optional>
#include <string>
#include <string_view>

namespace attnscope {

/// What a call of a name in a pickle means to us. Everything that is not listed is refused.
enum class PickleCall {
    Unknown,
    Dictionary,  ///< OrderedDict() and its relatives
    Set,
    Tuple,         ///< torch.Size(sizes)
    TensorV1,      ///< storage, offset, sizes, strides
    TensorV2,      ///< the same, requires_grad, hooks
    TensorV3,      ///< the same, dtype: for types without a storage class
    Parameter,     ///< the tensor, requires_grad, hooks
    TensorOfType,  ///< the function that makes the tensor, its type, the arguments, state
    Reconstruct,   ///< class, base, state: an object of protocol 0 style
    Inert,         ///< kept as a record of its name and arguments: numpy scalars, paths, devices
};

PickleCall pickleCallOf(std::string_view global);

/// "torch.FloatStorage" → Float32; UInt8 for untyped storages; empty for every other name.
std::optional<ElementType> storageTypeOf(std::string_view global);
bool isUntypedStorage(std::string_view global);

/// "torch.float32" → Float32.
std::optional<ElementType> dtypeOf(std::string_view global);

/// The name under which people know a function: posix.system and nt.system are os.system.
std::string familiarName(std::string_view global);

}  // namespace attnscope

#pragma once

#include "core/checkpoint/state_dict.h"

#include <optional>
#include <string>
#include <string_view>

namespace attnscope {

/// How the call of a name in a pickle is interpreted. Everything that is not listed is refused.
enum class PickleCall {
    Unknown,
    Dictionary,  ///< OrderedDict() and its relatives
    Set,
    Tuple,             ///< torch.Size(sizes)
    List,              ///< list(values)
    Tensor,            ///< storage, offset, sizes, strides, requires_grad, hooks, marks
    TypedTensor,       ///< storage, offset, sizes, strides, requires_grad, hooks, dtype, marks: no storage class
    UnreadableTensor,  ///< sparse, quantized, without values …: not a plain view of a storage
    Parameter,         ///< the tensor, requires_grad, hooks
    TensorOfType,      ///< the function that makes the tensor, its type, the arguments, state
    Reconstruct,       ///< class, base, state: an object of protocol 0 style
    Inert,             ///< kept as a record of its name and arguments: numpy scalars, paths, devices
};

PickleCall pickleCallOf(std::string_view global);

/// "torch.FloatStorage" → Float32; UInt8 for untyped storages; empty for all other names.
std::optional<ElementType> storageTypeOf(std::string_view global);

/// "torch.float32" → Float32; empty for types smaller than a byte, and for anything else.
std::optional<ElementType> dtypeOf(std::string_view global);
/// "torch.float4_e2m1fn_x2": a type of torch whose elements are smaller than a byte, or plain bits.
bool isPackedDtype(std::string_view global);

/// "sparse" for torch._utils._rebuild_sparse_tensor: descriptions of the functions of PickleCall::UnreadableTensor.
const char* unreadableKindOf(std::string_view global);

/// The well-known name of a function: posix.system and nt.system are os.system.
std::string familiarName(std::string_view global);

}

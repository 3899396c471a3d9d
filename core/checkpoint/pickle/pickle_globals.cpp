#include "core/checkpoint/pickle/pickle_globals.h"

#include "core/base/text.h"
#include "core/checkpoint/element_type.h"

#include <algorithm>

namespace attnscope {

namespace {

/// What a table says of a name.
template <typename Value>
struct Named {
    std::string_view name;
    Value value;
};

constexpr Named<PickleCall> calls[] = {
    {"collections.OrderedDict", PickleCall::Dictionary},
    {"collections.defaultdict", PickleCall::Dictionary},
    {"collections.Counter", PickleCall::Dictionary},
    {"builtins.dict", PickleCall::Dictionary},
    {"__builtin__.dict", PickleCall::Dictionary},
    {"builtins.set", PickleCall::Set},
    {"__builtin__.set", PickleCall::Set},
    {"builtins.frozenset", PickleCall::Set},
    {"__builtin__.frozenset", PickleCall::Set},
    {"torch.Size", PickleCall::Tuple},
    {"torch._utils._rebuild_tensor", PickleCall::Tensor},
    {"torch._utils._rebuild_tensor_v2", PickleCall::Tensor},
    {"torch._utils._rebuild_tensor_v3", PickleCall::TypedTensor},
    {"torch._utils._rebuild_parameter", PickleCall::Parameter},
    {"torch._utils._rebuild_parameter_with_state", PickleCall::Parameter},
    {"torch._tensor._rebuild_from_type_v2", PickleCall::TensorOfType},
    {"copyreg._reconstructor", PickleCall::Reconstruct},
    {"copy_reg._reconstructor", PickleCall::Reconstruct},
    {"argparse.Namespace", PickleCall::Inert},
    {"_codecs.encode", PickleCall::Inert},
    {"numpy.dtype", PickleCall::Inert},
    {"numpy.core.multiarray.scalar", PickleCall::Inert},
    {"numpy._core.multiarray.scalar", PickleCall::Inert},
    {"numpy.core.multiarray._reconstruct", PickleCall::Inert},
    {"numpy._core.multiarray._reconstruct", PickleCall::Inert},
    {"pathlib.PosixPath", PickleCall::Inert},
    {"pathlib.PurePosixPath", PickleCall::Inert},
    {"pathlib.WindowsPath", PickleCall::Inert},
    {"pathlib._local.PosixPath", PickleCall::Inert},
    {"datetime.datetime", PickleCall::Inert},
    {"datetime.timedelta", PickleCall::Inert},
    {"builtins.complex", PickleCall::Inert},
    {"torch.device", PickleCall::Inert},
    {"torch.serialization._get_layout", PickleCall::Inert},
    {"builtins.list", PickleCall::List},
    {"__builtin__.list", PickleCall::List},
    {"builtins.tuple", PickleCall::Tuple},
    {"__builtin__.tuple", PickleCall::Tuple},
    {"builtins.bytearray", PickleCall::Inert},
    {"__builtin__.bytearray", PickleCall::Inert},
    {"builtins.slice", PickleCall::Inert},
    {"__builtin__.slice", PickleCall::Inert},
    {"builtins.range", PickleCall::Inert},
    {"__builtin__.xrange", PickleCall::Inert},
    {"__builtin__.complex", PickleCall::Inert},
    {"datetime.date", PickleCall::Inert},
    {"datetime.time", PickleCall::Inert},
    {"datetime.timezone", PickleCall::Inert},
    {"decimal.Decimal", PickleCall::Inert},
    {"fractions.Fraction", PickleCall::Inert},
    {"numpy.core.numeric._frombuffer", PickleCall::Inert},
    {"numpy._core.numeric._frombuffer", PickleCall::Inert},
};

/// Tensors that are not plain views of a storage.
constexpr Named<const char*> unreadableTensors[] = {
    {"torch._utils._rebuild_sparse_tensor", "sparse"},
    {"torch._utils._rebuild_sparse_csr_tensor", "sparse"},
    {"torch._utils._rebuild_qtensor", "quantized"},
    {"torch._utils._rebuild_nested_tensor", "nested"},
    {"torch.nested._internal.nested_tensor._rebuild_njt", "nested"},
    {"torch._utils._rebuild_meta_tensor_no_storage", "without values (of the device meta)"},
    {"torch._utils._rebuild_wrapper_subclass", "of a custom class"},
    {"torch._utils._rebuild_device_tensor_from_numpy", "of a foreign device"},
    {"torch._utils._rebuild_device_tensor_from_cpu_tensor", "of a foreign device"},
    {"torch._utils._rebuild_xla_tensor", "of a foreign device"},
};

// clang-format off
constexpr Named<ElementType> storages[] = {
    {"DoubleStorage", ElementType::Float64},           {"FloatStorage", ElementType::Float32},
    {"HalfStorage", ElementType::Float16},             {"BFloat16Storage", ElementType::BFloat16},
    {"LongStorage", ElementType::Int64},               {"IntStorage", ElementType::Int32},
    {"ShortStorage", ElementType::Int16},              {"CharStorage", ElementType::Int8},
    {"ByteStorage", ElementType::UInt8},               {"BoolStorage", ElementType::Bool},
    {"ComplexFloatStorage", ElementType::Complex64},   {"ComplexDoubleStorage", ElementType::Complex128},
    {"UntypedStorage", ElementType::UInt8},            {"QUInt8Storage", ElementType::UInt8},
    {"QInt8Storage", ElementType::Int8},               {"QInt32Storage", ElementType::Int32},
    {"QUInt4x2Storage", ElementType::UInt8},           {"QUInt2x4Storage", ElementType::UInt8},
};

/// Further names of dtypes.
constexpr Named<ElementType> dtypeAliases[] = {
    {"double", ElementType::Float64},   {"float", ElementType::Float32},     {"half", ElementType::Float16},
    {"long", ElementType::Int64},       {"int", ElementType::Int32},         {"short", ElementType::Int16},
    {"chalf", ElementType::Complex32},  {"cfloat", ElementType::Complex64},  {"cdouble", ElementType::Complex128},
};

constexpr std::string_view packedDtypes[] = {"float4_e2m1fn_x2", "bits8", "bits16", "bits1x8", "bits2x4", "bits4x2",
                                             "uint1", "uint2", "uint3", "uint4", "uint5", "uint6", "uint7",
                                             "int1", "int2", "int3", "int4", "int5", "int6", "int7"};
// clang-format on

template <typename Value, size_t n>
std::optional<Value> find(const Named<Value> (&rows)[n], std::string_view name)
{
    for (const Named<Value>& row : rows)
        if (row.name == name)
            return row.value;
    return std::nullopt;
}

}

PickleCall pickleCallOf(std::string_view global)
{
    if (const auto call = find(calls, global))
        return *call;
    return unreadableKindOf(global) == nullptr ? PickleCall::Unknown : PickleCall::UnreadableTensor;
}

const char* unreadableKindOf(std::string_view global)
{
    return find(unreadableTensors, global).value_or(nullptr);
}

std::optional<ElementType> storageTypeOf(std::string_view global)
{
    if (!takePrefix(global, "torch.cuda.") && !takePrefix(global, "torch.storage.")
        && !takePrefix(global, "torch."))
        return std::nullopt;
    return find(storages, global);
}

std::optional<ElementType> dtypeOf(std::string_view global)
{
    if (!takePrefix(global, "torch."))
        return std::nullopt;
    const auto type = elementTypeNamed(global);
    return type ? type : find(dtypeAliases, global);
}

bool isPackedDtype(std::string_view global)
{
    return takePrefix(global, "torch.") && std::ranges::find(packedDtypes, global) != std::end(packedDtypes);
}

std::string familiarName(std::string_view global)
{
    for (const std::string_view module : {"posix.", "nt."})
        if (global.starts_with(module))
            return "os." + printable(global.substr(module.size()));
    for (const std::string_view module : {"__builtin__.", "builtins."})
        if (global.starts_with(module))
            return printable(global.substr(module.size()));
    return printable(global);
}

}

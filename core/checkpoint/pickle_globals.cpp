// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle_globals.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

struct CallRow {
    std::string_view name;
    PickleCall call;
};

constexpr CallRow calls[] = {
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
    {"torch._utils._rebuild_tensor", PickleCall::TensorV1},
    {"torch._utils._rebuild_tensor_v2", PickleCall::TensorV2},
    {"torch._utils._rebuild_tensor_v3", PickleCall::TensorV3},
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
    {"torch._utils._rebuild_sparse_tensor", PickleCall::Inert},
    {"torch._utils._rebuild_qtensor", PickleCall::Inert},
    {"torch._utils._rebuild_meta_tensor_no_storage", PickleCall::Inert},
};

struct TypeRow {
    std::string_view name;
    ElementType type;
};

// clang-format off
constexpr TypeRow storages[] = {
    {"DoubleStorage", ElementType::Float64},           {"FloatStorage", ElementType::Float32},
    {"HalfStorage", ElementType::Float16},             {"BFloat16Storage", ElementType::BFloat16},
    {"LongStorage", ElementType::Int64},               {"IntStorage", ElementType::Int32},
    {"ShortStorage", ElementType::Int16},              {"CharStorage", ElementType::Int8},
    {"ByteStorage", ElementType::UInt8},               {"BoolStorage", ElementType::Bool},
    {"ComplexFloatStorage", ElementType::Complex64},   {"ComplexDoubleStorage", ElementType::Complex128},
    {"UntypedStorage", ElementType::UInt8},
};
// clang-format on

// clang-format off
constexpr TypeRow dtypes[] = {
    {"float64", ElementType::Float64},         {"double", ElementType::Float64},          {"float32", ElementType::Float32},
    {"float", ElementType::Float32},           {"float16", ElementType::Float16},         {"half", ElementType::Float16},
    {"bfloat16", ElementType::BFloat16},       {"int64", ElementType::Int64},             {"long", ElementType::Int64},
    {"int32", ElementType::Int32},             {"int", ElementType::Int32},               {"int16", ElementType::Int16},
    {"int8", ElementType::Int8},               {"uint8", ElementType::UInt8},             {"bool", ElementType::Bool},
    {"complex64", ElementType::Complex64},     {"complex128", ElementType::Complex128},   {"float8_e4m3fn", ElementType::Float8E4M3},
    {"float8_e5m2", ElementType::Float8E5M2},  {"uint16", ElementType::UInt16},           {"uint32", ElementType::UInt32},
    {"uint64", ElementType::UInt64},
};
// clang-format on

bool dropPrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<ElementType> find(std::span<const TypeRow> rows, std::string_view name)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const TypeRow& r) { return r.name == name; });
    return row == rows.end() ? std::nullopt : std::optional(row->type);
}

}  // namespace

PickleCall pickleCallOf(std::string_view global)
{
    for (const CallRow& row : calls)
        if (row.name == global)
            return row.call;
    return PickleCall::Unknown;
}

std::optional<ElementType> storageTypeOf(std::string_view global)
{
    if (!dropPrefix(global, "torch.cuda.") && !dropPrefix(global, "torch.storage.")
        && !dropPrefix(global, "torch."))
        return std::nullopt;
    return find(storages, global);
}

bool isUntypedStorage(std::string_view global)
{
    return global.ends_with(".UntypedStorage");
}

std::optional<ElementType> dtypeOf(std::string_view global)
{
    if (!dropPrefix(global, "torch."))
        return std::nullopt;
    return find(dtypes, global);
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

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle_globals.h"

#include <map>
#include <set>

namespace attnscope {

std::optional<ElementType> storageType(const std::string& name)
{
    static const std::map<std::string, ElementType> types{
        {"torch.FloatStorage", ElementType::Float32},       {"torch.DoubleStorage", ElementType::Float64},
        {"torch.HalfStorage", ElementType::Float16},        {"torch.BFloat16Storage", ElementType::BFloat16},
        {"torch.LongStorage", ElementType::Int64},          {"torch.IntStorage", ElementType::Int32},
        {"torch.ShortStorage", ElementType::Int16},         {"torch.CharStorage", ElementType::Int8},
        {"torch.ByteStorage", ElementType::UInt8},          {"torch.BoolStorage", ElementType::Bool},
        {"torch.ComplexFloatStorage", ElementType::Complex64}, {"torch.ComplexDoubleStorage", ElementType::Complex128},
        {"torch.storage.UntypedStorage", ElementType::UInt8},
    };
    const auto found = types.find(name);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

GlobalMeaning globalMeaning(const std::string& name)
{
    static const std::map<std::string, GlobalMeaning> meanings{
        {"collections.OrderedDict", GlobalMeaning::OrderedDict},
        {"torch._utils._rebuild_tensor", GlobalMeaning::RebuildTensor},
        {"torch._utils._rebuild_tensor_v2", GlobalMeaning::RebuildTensor},
        {"torch._utils._rebuild_parameter", GlobalMeaning::RebuildParameter},
        {"torch._utils._rebuild_parameter_with_state", GlobalMeaning::RebuildParameter},
        {"torch.Size", GlobalMeaning::TorchSize},
    };
    static const std::set<std::string> inert{
        "torch.device",       "collections.defaultdict",           "collections.Counter",
        "_codecs.encode",     "numpy.core.multiarray.scalar",      "numpy._core.multiarray.scalar",
        "numpy.dtype",        "numpy.core.multiarray._reconstruct", "numpy._core.multiarray._reconstruct",
        "copyreg._reconstructor", "copy_reg._reconstructor",       "pathlib.PosixPath",
        "builtins.set",       "__builtin__.set",                   "builtins.frozenset",
        "argparse.Namespace",
    };
    if (const auto found = meanings.find(name); found != meanings.end())
        return found->second;
    if (inert.count(name) > 0)
        return GlobalMeaning::Inert;
    return storageType(name) ? GlobalMeaning::StorageType : GlobalMeaning::Unknown;
}

}  // namespace attnscope

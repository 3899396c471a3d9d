#pragma once

#include "core/checkpoint/pickle/pickle_opcodes.h"
#include "mutate.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Changes to a pickle operation by operation: most programs made from one that ran still run.
namespace attnscope::fuzz {

/// The bytes of the operation at `at`, arguments included; at least 1, and never beyond the end.
[[clang::no_sanitize("coverage")]] inline size_t operationBytes(std::string_view pickle, size_t at)
{
    using namespace pickle_op;
    const auto lines = [&](int count) {
        size_t end = at;
        while (count-- > 0 && end != std::string_view::npos)
            end = pickle.find('\n', end + 1);
        return end == std::string_view::npos ? pickle.size() - at : end + 1 - at;
    };
    const auto prefixed = [&](int bytes) {
        const uint64_t length = numberAt(pickle, at + 1, bytes);
        return size_t(std::min<uint64_t>(length, pickle.size())) + 1 + size_t(bytes);
    };
    size_t size = 1;
    switch (uint8_t(pickle[at])) {
    case Proto:
    case BinInt1:
    case BinPut:
    case BinGet:
        size = 2;
        break;
    case BinInt2:
        size = 3;
        break;
    case BinInt:
    case LongBinPut:
    case LongBinGet:
        size = 5;
        break;
    case BinFloat:
    case Frame:
        size = 9;
        break;
    case Long1:
    case ShortBinString:
    case ShortBinUnicode:
    case ShortBinBytes:
        size = prefixed(1);
        break;
    case Long4:
    case BinString:
    case BinUnicode:
    case BinBytes:
        size = prefixed(4);
        break;
    case BinUnicode8:
    case BinBytes8:
    case ByteArray8:
        size = prefixed(8);
        break;
    case Global:
    case Inst:
        size = lines(2);
        break;
    case PersId:
        size = lines(1);
        break;
    default:
        break;
    }
    return std::min(std::max<size_t>(size, 1), pickle.size() - at);
}

[[clang::no_sanitize("coverage")]] inline std::vector<std::string_view> operationsOf(std::string_view pickle)
{
    std::vector<std::string_view> operations;
    operations.reserve(pickle.size());
    for (size_t at = 0; at < pickle.size();) {
        const size_t size = operationBytes(pickle, at);
        operations.push_back(pickle.substr(at, size));
        at += size;
    }
    return operations;
}

inline std::string textOperation(Mutator& mutator)
{
    const std::string text = mutator.oneOf({"w", "model", "model_ema", "state_dict", "args", "storage", "cpu", "0",
                                            "1", "module.w", "optimizer", "os", "system", "torch", "FloatStorage",
                                            "", "ema"});
    return "\x8c" + littleEndian(text.size(), 1) + text;
}

/// A chunk of a program as torch.save writes it, or as an attacker would.
inline std::string snippet(Mutator& mutator)
{
    const std::string integer = "\x8a\x08" + littleEndian(mutator.number(), 8);
    switch (mutator.below(12)) {
    case 0:
        return integer;
    case 1:
        return textOperation(mutator);
    case 2:
        return "c"
               + mutator.oneOf({"torch._utils\n_rebuild_tensor_v2\n", "torch._utils\n_rebuild_tensor_v3\n",
                                "torch._utils\n_rebuild_parameter\n", "torch._tensor\n_rebuild_from_type_v2\n",
                                "torch._utils\n_rebuild_qtensor\n", "collections\nOrderedDict\n",
                                "torch\nFloatStorage\n", "torch.storage\nUntypedStorage\n", "torch\nfloat16\n",
                                "torch\nSize\n", "builtins\nset\n", "argparse\nNamespace\n",
                                "copyreg\n_reconstructor\n", "os\nsystem\n", "builtins\nlist\n",
                                "torch\nfloat4_e2m1fn_x2\n", "collections\ndefaultdict\n"});
    case 3:
        return mutator.oneOf({"}", "]", ")", "\x8f", "N", "\x88", "\x89", "(", "(t", "(l", "(d"});
    case 4:
        return mutator.oneOf(
            {"R", "b", "\x81", "\x92", "\x93", "Q", "s", "u", "a", "e", "\x90", "t", "\x85", "\x86", "\x87"});
    case 5:
        return mutator.oneOf({"0", "1", "2", "\x94"});
    case 6:
        return std::string(mutator.oneIn(2) ? "h" : "q") + char(mutator.below(24));
    case 7:
        return mutator.oneIn(2) ? integer + "\x85" : integer + integer + "\x86";
    case 8:  // a storage
        return "(\x8c\x07storagectorch\nFloatStorage\n\x8c\x01"
               "0\x8c\x03"
               "cpu"
               + integer + "tQ";
    case 9:  // an entry of the dictionary below
        return textOperation(mutator) + "}" + textOperation(mutator) + "Kss";
    case 10:
        return "G" + littleEndian(mutator.number(), 8);
    default:
        return std::string(1, char(mutator.below(256)));
    }
}

[[clang::no_sanitize("coverage")]] inline void mutatePickle(std::string& pickle, Mutator& mutator)
{
    if (pickle.empty() || mutator.oneIn(4)) {
        mutator.bytes(pickle);
        return;
    }
    const std::string before = std::move(pickle);
    std::vector<std::string_view> operations = operationsOf(before);
    std::array<std::string, 3> made;  // by each change
    for (size_t changes = 1 + mutator.below(made.size()); changes > 0 && !operations.empty(); --changes) {
        std::string& text = made[changes - 1];
        const size_t at = mutator.below(operations.size());
        const auto place = operations.begin() + ptrdiff_t(at);
        switch (mutator.below(6)) {
        case 0:
            operations.erase(place);
            break;
        case 1:
            operations.insert(place, text = snippet(mutator));
            break;
        case 2:
            operations.insert(place, operations[mutator.below(operations.size())]);
            break;
        case 3:
            std::swap(operations[at], operations[mutator.below(operations.size())]);
            break;
        case 4:
            mutator.bytes(text = operations[at], 8);
            operations[at] = text;
            break;
        default:
            operations[at] = text = snippet(mutator);
            break;
        }
    }
    pickle.clear();
    for (const std::string_view operation : operations)
        pickle += operation;
}

}

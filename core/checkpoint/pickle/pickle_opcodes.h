#pragma once

#include <cstdint>

namespace attnscope::pickle_op {

// clang-format off
/// Opcodes under the names of Python's pickletools.
enum Op : uint8_t {
    Mark = '(', Stop = '.', Pop = '0', PopMark = '1', Dup = '2', BinInt = 'J', BinInt1 = 'K', BinInt2 = 'M', None = 'N',
    BinFloat = 'G', BinPersId = 'Q', PersId = 'P', Reduce = 'R', BinString = 'T', ShortBinString = 'U', BinUnicode = 'X',
    Append = 'a', Build = 'b', Global = 'c', DictOp = 'd', Appends = 'e', BinGet = 'h', Inst = 'i', LongBinGet = 'j', ListOp = 'l',
    Obj = 'o', BinPut = 'q', LongBinPut = 'r', SetItem = 's', TupleOp = 't', SetItems = 'u', EmptyDict = '}', EmptyList = ']',
    EmptyTuple = ')', BinBytes = 'B', ShortBinBytes = 'C', Proto = 0x80, NewObj = 0x81, Tuple1 = 0x85, Tuple2 = 0x86,
    Tuple3 = 0x87, NewTrue = 0x88, NewFalse = 0x89, Long1 = 0x8a, Long4 = 0x8b, ShortBinUnicode = 0x8c, BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e, EmptySet = 0x8f, AddItems = 0x90, FrozenSet = 0x91, NewObjEx = 0x92, StackGlobal = 0x93, Memoize = 0x94,
    Frame = 0x95, ByteArray8 = 0x96,
};
// clang-format on

}

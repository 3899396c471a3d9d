// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/checkpoint/state_dict.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Pickles as data. A pickle is a program; this machine interprets only the part of the language that builds data, calls
/// nothing, imports nothing and knows a short list of names. Everything else is an inert record or a refusal that names it.
namespace attnscope {

struct PickleValue;
using PickleRef = std::shared_ptr<PickleValue>;

struct PickleValue {
    enum class Kind { None, Bool, Integer, Real, Text, Bytes, List, Tuple, Dict, Set, Global, Storage, Tensor, Record };

    Kind kind = Kind::None;
    bool flag = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;                                    ///< Text, Bytes; Global and Record: "module.name"
    std::vector<PickleRef> items;                        ///< List, Tuple, Set
    std::vector<std::pair<PickleRef, PickleRef>> pairs;  ///< Dict, and the attributes of a Record
    StoredTensor tensor;                                 ///< Tensor; a Storage's type and place
    std::int64_t depth = 1;                              ///< nesting below this value
    bool frozen = false;                                 ///< it is inside another value and may not grow any more
};

/// What a persistent id of torch.save stands for: ('storage', type, key, location, elements).
struct StorageReference {
    ElementType type = ElementType::Float32;
    std::string key;
    std::int64_t elements = 0;
};

/// Finds the bytes of a storage: fills storageOffset, storageBytes, source and bigEndian. Throws FileError.
using StorageFinder = std::function<StoredTensor(const StorageReference&)>;

/// Runs one pickle. `name` stands in messages; `consumed` (when not null) receives the number of bytes up to and including STOP.
/// Throws FileError for anything outside the allowed language or the limits.
PickleRef readPickle(std::span<const std::byte> bytes, const std::string& name, const StorageFinder& storages, const Limits& limits,
                     std::size_t* consumed = nullptr);

/// Plain values as JSON, for metadata: inert, tensors left out, cut off at a depth of 4 and 4096 values.
Json toJson(const PickleValue& value);

}  // namespace attnscope

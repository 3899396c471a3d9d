// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle/pickle_values.h"

#include <map>

namespace attnscope {

/// The storages and tensors of a pickle: their form is checked here, their sizes against the container when they are used.
class PickleTensors {
public:
    explicit PickleTensors(PickleValues& values)
        : m_values(values)
    {}

    /// A persistent id: ("storage", type, key, device, elements[, view]).
    PickleRef storage(PickleRef id);
    /// storage, first element, sizes, strides[, requires gradient, hooks[, flags of a pending negation]].
    PickleRef tensor(const std::vector<PickleRef>& arguments);
    /// storage, first element, sizes, strides, requires gradient, hooks, type[, flags].
    PickleRef typedTensor(const std::vector<PickleRef>& arguments);
    /// A tensor that is not a plain view of a storage. It records why, and is refused only if it is needed.
    PickleRef unreadable(std::string_view global);
    /// The tensor in a parameter.
    PickleRef parameter(const std::vector<PickleRef>& arguments) const;

private:
    void readView(PickleRef view, PickleStorage& storage) const;
    PickleRef indexOf(PickleStorage storage);
    std::vector<std::int64_t> sizes(PickleRef ref) const;
    PickleTensor viewOf(const std::vector<PickleRef>& arguments) const;
    bool isPending(PickleRef marks) const;

    PickleValues& m_values;
    std::map<std::string, std::vector<std::uint32_t>> m_storageOf;
};

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/pickle/pickle_values.h"

#include <unordered_map>

namespace attnscope {

/// The stack of a pickle's machine with its marks, and the memo. What is below the last mark is inaccessible, as in Python's own machine.
class PickleStack {
public:
    explicit PickleStack(const PickleValues& values)
        : m_values(values)
    {}

    void push(PickleRef ref);
    PickleRef pop();
    PickleRef top() const;
    std::vector<PickleRef> popCount(std::size_t count);
    void duplicate();

    void mark();
    std::vector<PickleRef> popToMark();
    /// The operation POP removes a mark if one is on top.
    void popOrUnmark();

    void put(std::uint64_t slot);
    void memoize() { put(m_memo.size()); }
    void get(std::uint64_t slot);

private:
    void checkRoom() const;

    const PickleValues& m_values;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, PickleRef> m_memo;
};

}  // namespace attnscope

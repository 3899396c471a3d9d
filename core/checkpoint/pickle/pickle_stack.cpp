// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle/pickle_stack.h"

namespace attnscope {

namespace {

/// Memo lookups, duplicates and marks create no values, so that the number of values does not bound the stack.
constexpr std::size_t mostEntries = 4'000'000;

}  // namespace

void PickleStack::push(PickleRef ref)
{
    m_stack.push_back(ref);
}

PickleRef PickleStack::pop()
{
    const PickleRef ref = top();
    m_stack.pop_back();
    return ref;
}

PickleRef PickleStack::top() const
{
    if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
        m_values.refuse("its pickle takes a value from an empty stack");
    return m_stack.back();
}

std::vector<PickleRef> PickleStack::popCount(std::size_t count)
{
    std::vector<PickleRef> items(count);
    for (std::size_t i = count; i-- > 0;)
        items[i] = pop();
    return items;
}

void PickleStack::duplicate()
{
    checkRoom();
    push(top());
}

void PickleStack::mark()
{
    checkRoom();
    m_marks.push_back(m_stack.size());
}

std::vector<PickleRef> PickleStack::popToMark()
{
    if (m_marks.empty())
        m_values.refuse("its pickle ends a list that it never started");
    const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<PickleRef> items(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    m_marks.pop_back();
    return items;
}

void PickleStack::popOrUnmark()
{
    if (!m_marks.empty() && m_marks.back() == m_stack.size())
        m_marks.pop_back();
    else
        pop();
}

void PickleStack::put(std::uint64_t slot)
{
    m_memo[slot] = top();
    const std::int64_t most = m_values.limits().pickleMemo;
    if (static_cast<std::int64_t>(m_memo.size()) > most)
        m_values.refuse("its pickle remembers more than " + std::to_string(most) + " values");
}

void PickleStack::get(std::uint64_t slot)
{
    const auto found = m_memo.find(slot);
    if (found == m_memo.end())
        m_values.refuse("its pickle recalls a value that it never stored");
    checkRoom();
    push(found->second);
}

void PickleStack::checkRoom() const
{
    if (m_stack.size() >= mostEntries || m_marks.size() >= mostEntries)
        m_values.refuse("its pickle has too many values on the stack");
}

}  // namespace attnscope

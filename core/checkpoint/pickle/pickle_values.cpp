#include "core/checkpoint/pickle/pickle_values.h"

#include "core/base/error.h"
#include "core/checkpoint/pickle/pickle_globals.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Values take about fifty bytes each, however few the file uses for them: bounded to bound memory.
constexpr size_t maxValues = 4'000'000;
/// Total size of all texts, in multiples of the longest: five bytes join two memoised texts into a name of 2 KiB.
constexpr int64_t longestTexts = 8;
/// A training checkpoint contains its weights up to four times: themselves, averaged, and two moments of the optimizer.
constexpr int64_t tensorSets = 8;

}

PickleGraph PickleValues::take(PickleRef root, int64_t end)
{
    m_graph.m_root = root;
    m_graph.m_end = end;
    return std::move(m_graph);
}

void PickleValues::refuse(const std::string& problem, const char* remedy) const
{
    throw FileError(m_file, problem, remedy);
}

void PickleValues::refuseCall(std::string_view global) const
{
    refuse("it asks to run `" + familiarName(global) + "`, which Attnscope never does",
           "save the weights as safetensors, or only their state_dict");
}

PickleRef PickleValues::add(Kind kind, int64_t payload, size_t length)
{
    if (m_graph.m_nodes.size() == maxValues)
        refuse("its pickle holds more than " + std::to_string(maxValues) + " values");
    m_graph.m_nodes.push_back({kind, 0, uint32_t(length), payload});
    return static_cast<PickleRef>(m_graph.m_nodes.size() - 1);
}

PickleRef PickleValues::addContainer(Kind kind, std::vector<PickleRef> items)
{
    const PickleRef ref = add(kind, int64_t(m_graph.m_items.size()));
    for (const PickleRef item : items)
        deepen(ref, item);
    m_graph.m_items.push_back(std::move(items));
    return ref;
}

PickleRef PickleValues::addText(Kind kind, std::string_view text)
{
    chargeText(text.size());
    const size_t start = m_graph.m_text.size();
    m_graph.m_text += text;
    return add(kind, static_cast<int64_t>(start), text.size());
}

PickleRef PickleValues::addStorage(PickleStorage storage)
{
    m_graph.m_storages.push_back(std::move(storage));
    return static_cast<PickleRef>(m_graph.m_storages.size() - 1);
}

PickleRef PickleValues::addTensor(PickleTensor tensor)
{
    if (int64_t(m_graph.m_tensors.size()) >= tensorSets * m_limits.tensors)
        refuse("its pickle creates more than " + std::to_string(tensorSets * m_limits.tensors) + " tensors");
    m_graph.m_tensors.push_back(std::move(tensor));
    return add(Kind::Tensor, int64_t(m_graph.m_tensors.size() - 1));
}

PickleRef PickleValues::addRecord(PickleRef type, PickleRef arguments)
{
    return addContainer(Kind::Record, {type, arguments, add(Kind::None, 0)});
}

void PickleValues::insert(PickleRef target, const std::vector<PickleRef>& items)
{
    for (const PickleRef item : items)
        deepen(target, item);
    std::vector<PickleRef>& own = itemsOf(target);
    own.insert(own.end(), items.begin(), items.end());
}

void PickleValues::setState(PickleRef record, PickleRef state)
{
    deepen(record, state);
    itemsOf(record)[2] = state;
}

void PickleValues::chargeText(size_t bytes) const
{
    const int64_t most = longestTexts * m_limits.pickleStringBytes;
    if (int64_t(m_graph.m_text.size() + bytes) > most)
        refuse("its pickle holds more than " + std::to_string(most) + " bytes of text");
}

void PickleValues::chargeCopy(size_t items, int64_t bytesRead)
{
    m_copied += int64_t(items);
    if (m_copied > 4 * bytesRead)
        refuse("its pickle copies the same values again and again");
}

void PickleValues::deepen(PickleRef parent, PickleRef child)
{
    const int depth = m_graph.m_nodes[child].depth + 1;
    if (depth > m_limits.pickleDepth)
        refuse("its pickle is nested more than " + std::to_string(m_limits.pickleDepth) + " deep");
    auto& own = m_graph.m_nodes[parent].depth;
    own = std::max(own, uint16_t(depth));
}

std::vector<PickleRef>& PickleValues::itemsOf(PickleRef ref)
{
    return m_graph.m_items[size_t(m_graph.m_nodes[ref].payload)];
}

}

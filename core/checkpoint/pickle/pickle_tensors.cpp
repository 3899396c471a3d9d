#include "core/checkpoint/pickle/pickle_calls.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle/pickle_globals.h"

namespace attnscope {

namespace {

using Kind = PickleKind;

constexpr const char* pendingMark = "stored with a pending negation or conjugation";

}

PickleRef PickleTensors::storage(PickleRef id)
{
    const PickleGraph& graph = m_values.graph();
    const auto parts = graph.is(id, Kind::Tuple) ? graph.items(id) : std::span<const PickleRef>();
    const bool wellFormed = (parts.size() == 5 || parts.size() == 6) && graph.is(parts[0], Kind::Text)
                            && graph.text(parts[0]) == "storage" && graph.is(parts[1], Kind::Global)
                            && graph.is(parts[2], Kind::Text) && graph.is(parts[4], Kind::Int);
    if (!wellFormed)
        m_values.refuse("its pickle refers to a storage in an unknown way");
    const auto type = storageTypeOf(graph.text(parts[1]));
    if (!type)
        m_values.refuse("its pickle has a storage of the unknown type `" + familiarName(graph.text(parts[1]))
                        + "`");
    PickleStorage storage{*type, std::string(graph.text(parts[2])), graph.integer(parts[4]), 0,
                          graph.integer(parts[4])};
    if (storage.elements < 0)
        m_values.refuse("its pickle has a storage of negative size");
    if (parts.size() == 6 && !graph.is(parts[5], Kind::None))
        readView(parts[5], storage);
    return m_values.add(Kind::Storage, indexOf(std::move(storage)));
}

void PickleTensors::readView(PickleRef view, PickleStorage& storage) const
{
    const PickleGraph& graph = m_values.graph();
    const auto parts = graph.is(view, Kind::Tuple) ? graph.items(view) : std::span<const PickleRef>();
    if (parts.size() != 3 || !graph.is(parts[1], Kind::Int) || !graph.is(parts[2], Kind::Int))
        m_values.refuse("its pickle has a view of a storage in an unknown form");
    storage.viewOffset = graph.integer(parts[1]);
    storage.viewElements = graph.integer(parts[2]);
    const auto end = checkedAdd(storage.viewOffset, storage.viewElements);
    if (!end || *end > storage.elements)
        m_values.refuse("its pickle has a view that reaches outside its storage");
}

/// A storage may be referenced many times, but always with the same type and size.
PickleRef PickleTensors::indexOf(PickleStorage storage)
{
    std::vector<uint32_t>& known = m_storageOf[storage.key];
    for (const uint32_t index : known) {
        const PickleStorage& other = m_values.graph().storages()[index];
        if (other.type != storage.type || other.elements != storage.elements)
            m_values.refuse("its pickle describes the storage `" + printable(storage.key) + "` in two ways");
        if (other.viewOffset == storage.viewOffset && other.viewElements == storage.viewElements)
            return index;
    }
    if (known.size() == 1024)
        m_values.refuse("its pickle has more than 1024 views of the storage `" + printable(storage.key) + "`");
    known.push_back(m_values.addStorage(std::move(storage)));
    return known.back();
}

std::vector<int64_t> PickleTensors::sizes(PickleRef ref) const
{
    const PickleGraph& graph = m_values.graph();
    if (!graph.is(ref, Kind::Tuple) && !graph.is(ref, Kind::List))
        m_values.refuse("its pickle has a tensor without a shape");
    const auto items = graph.items(ref);
    const int64_t rank = m_values.limits().tensorRank;
    if (int64_t(items.size()) > rank)
        m_values.refuse("its pickle has a tensor of more than " + std::to_string(rank) + " dimensions");
    std::vector<int64_t> sizes;
    for (const PickleRef item : items) {
        if (!graph.is(item, Kind::Int))
            m_values.refuse("its pickle has a tensor whose shape is not a list of integers");
        sizes.push_back(graph.integer(item));
    }
    return sizes;
}

PickleTensor PickleTensors::viewOf(const std::vector<PickleRef>& arguments) const
{
    const PickleGraph& graph = m_values.graph();
    if (arguments.size() < 4 || !graph.is(arguments[0], Kind::Storage) || !graph.is(arguments[1], Kind::Int))
        m_values.refuse("its pickle creates a tensor from something that is not a storage");
    PickleTensor made;
    made.storage = uint32_t(graph.integer(arguments[0]));
    made.type = graph.storages()[made.storage].type;
    made.firstElement = graph.integer(arguments[1]);
    made.shape = sizes(arguments[2]);
    made.strides = sizes(arguments[3]);
    return made;
}

PickleRef PickleTensors::tensor(const std::vector<PickleRef>& arguments)
{
    PickleTensor made = viewOf(arguments);
    if (arguments.size() > 6 && isPending(arguments[6]))
        made.unreadable = pendingMark;
    return m_values.addTensor(std::move(made));
}

PickleRef PickleTensors::typedTensor(const std::vector<PickleRef>& arguments)
{
    const PickleGraph& graph = m_values.graph();
    if (arguments.size() < 7)
        m_values.refuse("its pickle creates a tensor from something that is not a storage");
    PickleTensor made = viewOf(arguments);
    const bool named = graph.is(arguments[6], Kind::Global);
    const auto type = named ? dtypeOf(graph.text(arguments[6])) : std::nullopt;
    if (!type && !(named && isPackedDtype(graph.text(arguments[6]))))
        m_values.refuse("its pickle has a tensor of an unknown type");
    made.type = type.value_or(ElementType::UInt8);
    if (!type)
        made.unreadable = "of a type that takes less than a byte";
    else if (arguments.size() > 7 && isPending(arguments[7]))
        made.unreadable = pendingMark;
    return m_values.addTensor(std::move(made));
}

/// Flags such as {"conj": True}: the values in the storage are not yet those of the tensor.
bool PickleTensors::isPending(PickleRef marks) const
{
    const PickleGraph& graph = m_values.graph();
    return graph.is(marks, Kind::Dict) && !graph.items(marks).empty();
}

PickleRef PickleTensors::unreadable(std::string_view global)
{
    PickleTensor made;
    made.unreadable = unreadableKindOf(global);
    return m_values.addTensor(std::move(made));
}

PickleRef PickleTensors::parameter(const std::vector<PickleRef>& arguments) const
{
    if (arguments.empty() || !m_values.graph().is(arguments[0], Kind::Tensor))
        m_values.refuse("its pickle creates a parameter from something that is not a tensor");
    return arguments[0];
}

}

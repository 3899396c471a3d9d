#include "core/checkpoint/pickle/pickle_calls.h"

#include "core/checkpoint/pickle/pickle_globals.h"

namespace attnscope {

namespace {

using Kind = PickleKind;

}

PickleRef PickleCalls::result(PickleRef function, PickleRef arguments, int64_t bytesRead)
{
    const PickleGraph& graph = m_values.graph();
    if (graph.is(function, Kind::Record))
        m_values.refuse("it asks to call an object, which Attnscope never does",
                        "save the weights as safetensors, or only their state_dict");
    if (!graph.is(function, Kind::Global) || !graph.is(arguments, Kind::Tuple))
        m_values.refuse("its pickle calls something that is not a name");
    m_values.chargeCopy(graph.items(arguments).size(), bytesRead);
    const std::vector<PickleRef> items(graph.items(arguments).begin(), graph.items(arguments).end());
    // clang-format off
    switch (pickleCallOf(graph.text(function))) {
    case PickleCall::Dictionary: return dictionary(items, bytesRead);
    case PickleCall::Set: return m_values.addContainer(Kind::Set, sequence(items, bytesRead));
    case PickleCall::Tuple: return m_values.addContainer(Kind::Tuple, sequence(items, bytesRead));
    case PickleCall::List: return m_values.addContainer(Kind::List, sequence(items, bytesRead));
    case PickleCall::Tensor: return m_tensors.tensor(items);
    case PickleCall::TypedTensor: return m_tensors.typedTensor(items);
    case PickleCall::UnreadableTensor: return m_tensors.unreadable(graph.text(function));
    case PickleCall::Parameter: return m_tensors.parameter(items);
    case PickleCall::TensorOfType: return tensorOfType(items, bytesRead);
    case PickleCall::Reconstruct: return reconstructed(items);
    case PickleCall::Inert: return m_values.addRecord(function, arguments);
    case PickleCall::Unknown: break;
    }
    // clang-format on
    m_values.refuseCall(graph.text(function));
}

/// OrderedDict() or, from Python 2, OrderedDict([[key, value], …]). A default factory is kept as a name.
PickleRef PickleCalls::dictionary(const std::vector<PickleRef>& arguments, int64_t bytesRead)
{
    std::vector<PickleRef> entries;
    for (const PickleRef argument : arguments)
        if (m_values.graph().is(argument, Kind::List) || m_values.graph().is(argument, Kind::Dict))
            appendEntries(argument, entries, bytesRead);
    return m_values.addContainer(Kind::Dict, std::move(entries));
}

void PickleCalls::appendEntries(PickleRef argument, std::vector<PickleRef>& entries, int64_t bytesRead)
{
    const PickleGraph& graph = m_values.graph();
    const auto items = graph.items(argument);
    m_values.chargeCopy(2 * items.size(), bytesRead);
    if (graph.is(argument, Kind::Dict)) {
        entries.insert(entries.end(), items.begin(), items.end());
        return;
    }
    for (const PickleRef pair : items) {
        if ((!graph.is(pair, Kind::List) && !graph.is(pair, Kind::Tuple)) || graph.items(pair).size() != 2)
            m_values.refuse("its pickle creates a dictionary from something other than pairs");
        entries.insert(entries.end(), graph.items(pair).begin(), graph.items(pair).end());
    }
}

std::vector<PickleRef> PickleCalls::sequence(const std::vector<PickleRef>& arguments, int64_t bytesRead)
{
    if (arguments.empty())
        return {};
    const PickleGraph& graph = m_values.graph();
    const Kind kind = graph.kind(arguments.front());
    if (arguments.size() != 1 || (kind != Kind::List && kind != Kind::Tuple && kind != Kind::Set))
        m_values.refuse("its pickle creates a set from something that is not a list");
    const auto items = graph.items(arguments.front());
    m_values.chargeCopy(items.size(), bytesRead);
    return {items.begin(), items.end()};
}

PickleRef PickleCalls::reconstructed(const std::vector<PickleRef>& arguments)
{
    if (arguments.size() != 3 || !m_values.graph().is(arguments[0], Kind::Global))
        m_values.refuse("its pickle creates an object without a class");
    return m_values.addRecord(arguments[0], m_values.addContainer(Kind::Tuple, {}));
}

/// A tensor of a subclass: the function that creates the plain one, the class, the function's arguments, state.
PickleRef PickleCalls::tensorOfType(const std::vector<PickleRef>& arguments, int64_t bytesRead)
{
    const PickleGraph& graph = m_values.graph();
    const bool wellFormed = arguments.size() == 4 && graph.is(arguments[0], Kind::Global)
                            && graph.is(arguments[2], Kind::Tuple);
    if (!wellFormed)
        m_values.refuse("its pickle creates a tensor from something that is not a storage");
    const PickleCall call = pickleCallOf(graph.text(arguments[0]));
    if (call != PickleCall::Tensor && call != PickleCall::TypedTensor && call != PickleCall::Parameter
        && call != PickleCall::UnreadableTensor)
        m_values.refuseCall(graph.text(arguments[0]));
    return result(arguments[0], arguments[2], bytesRead);
}

PickleRef PickleCalls::object(PickleRef type, PickleRef arguments)
{
    const PickleGraph& graph = m_values.graph();
    if (!graph.is(type, Kind::Global) || !graph.is(arguments, Kind::Tuple))
        m_values.refuse("its pickle creates an object without a class");
    const bool dict = pickleCallOf(graph.text(type)) == PickleCall::Dictionary;
    return dict ? m_values.addContainer(Kind::Dict, {}) : m_values.addRecord(type, arguments);
}

/// Fields of dictionaries and tensors (_metadata, hooks) are irrelevant to weights.
void PickleCalls::build(PickleRef object, PickleRef state)
{
    const PickleGraph& graph = m_values.graph();
    switch (graph.kind(object)) {
    case Kind::Record:
        m_values.setState(object, state);
        return;
    case Kind::Dict:
    case Kind::Set:
    case Kind::Tensor:
        return;
    case Kind::Global:
        m_values.refuse("it asks to change `" + familiarName(graph.text(object)) + "`, which Attnscope never does",
                        "save the weights as safetensors, or only their state_dict");
    default:
        m_values.refuse("its pickle sets fields of something that has none");
    }
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle_globals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

namespace attnscope {

namespace {

using Kind = PickleValue::Kind;

class Machine {
public:
    Machine(std::span<const std::byte> bytes, const std::string& name, const StorageFinder& storages, const Limits& limits)
        : m_bytes(bytes)
        , m_name(name)
        , m_storages(storages)
        , m_limits(limits)
    {
    }

    PickleRef run()
    {
        for (std::int64_t steps = 0; steps < m_limits.pickleOperations; ++steps) {
            const int operation = static_cast<int>(number(1));
            if (operation == '.') {
                PickleRef result = pop();
                return result;
            }
            step(operation);
        }
        refuse("its pickle never ends");
    }

    std::size_t position() const { return m_position; }

private:
    [[noreturn]] void refuse(const std::string& problem) const
    {
        throw FileError(m_name, problem, "save it again, or save the weights as safetensors");
    }

    [[noreturn]] void refuseGlobal(const std::string& global) const
    {
        throw FileError(m_name, "it asks to run `" + printable(global) + "`, which Attnscope never does",
                        "save the weights as safetensors, or only their state_dict");
    }

    // Reading bytes.

    std::span<const std::byte> take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_position)
            refuse("its pickle breaks off");
        const auto part = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return part;
    }

    std::uint64_t number(int bytes)
    {
        std::uint64_t value = 0;
        const auto part = take(static_cast<std::uint64_t>(bytes));
        for (std::size_t i = part.size(); i-- > 0;)
            value = (value << 8) | static_cast<std::uint64_t>(part[i]);
        return value;
    }

    std::string text(std::uint64_t length)
    {
        if (length > static_cast<std::uint64_t>(m_limits.pickleStringBytes))
            refuse("a text in it is longer than the limit");
        const auto part = take(length);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }

    std::string line()
    {
        std::string result;
        for (char c = static_cast<char>(number(1)); c != '\n'; c = static_cast<char>(number(1))) {
            result += c;
            if (result.size() > 4096)
                refuse("a name in it is longer than the limit");
        }
        return result;
    }

    // The stack.

    void push(PickleRef value) { m_stack.push_back(std::move(value)); }

    PickleRef make(Kind kind) const
    {
        auto value = std::make_shared<PickleValue>();
        value->kind = kind;
        return value;
    }

    void pushText(Kind kind, std::string content)
    {
        auto value = make(kind);
        value->text = std::move(content);
        push(std::move(value));
    }

    void pushInteger(std::int64_t integer)
    {
        auto value = make(Kind::Integer);
        value->integer = integer;
        push(std::move(value));
    }

    void pushBool(bool flag)
    {
        auto value = make(Kind::Bool);
        value->flag = flag;
        push(std::move(value));
    }

    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }

    PickleRef pop()
    {
        if (m_stack.size() <= floor())
            refuse("its pickle takes more from its stack than is on it");
        PickleRef value = std::move(m_stack.back());
        m_stack.pop_back();
        return value;
    }

    PickleRef& top()
    {
        if (m_stack.size() <= floor())
            refuse("its pickle takes more from its stack than is on it");
        return m_stack.back();
    }

    std::vector<PickleRef> popToMark()
    {
        if (m_marks.empty())
            refuse("its pickle has no mark where one is needed");
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleRef> values(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return values;
    }

    /// Containers may not nest without end, and a value may not be put into itself.
    void nest(PickleValue& container, const PickleRef& value)
    {
        if (value.get() == &container)
            refuse("a value in it contains itself");
        container.depth = std::max(container.depth, value->depth + 1);
        if (container.depth > m_limits.pickleDepth)
            refuse("its values are nested more than " + std::to_string(m_limits.pickleDepth) + " deep");
        value->frozen = true;
    }

    /// A container that grew after it was put into another one could close a ring, which nothing that walks values expects.
    void requireOpen(const PickleValue& container) const
    {
        if (container.frozen)
            refuse("a container in it is changed after it was put into another one");
    }

    PickleRef container(Kind kind, std::vector<PickleRef> items)
    {
        auto value = make(kind);
        for (const PickleRef& item : items)
            nest(*value, item);
        value->items = std::move(items);
        return value;
    }

    void append(const std::vector<PickleRef>& items)
    {
        PickleValue& list = *top();
        if (list.kind == Kind::Record)
            return;  // an inert object stays inert
        if (list.kind != Kind::List && list.kind != Kind::Set)
            refuse("its pickle appends to something that is no list");
        requireOpen(list);
        for (const PickleRef& item : items) {
            nest(list, item);
            list.items.push_back(item);
        }
    }

    void setItems(const std::vector<PickleRef>& items)
    {
        PickleValue& dict = *top();
        if (dict.kind == Kind::Record)
            return;
        if (dict.kind != Kind::Dict || items.size() % 2 != 0)
            refuse("its pickle sets items of something that is no dictionary");
        requireOpen(dict);
        for (std::size_t i = 0; i < items.size(); i += 2) {
            nest(dict, items[i]);
            nest(dict, items[i + 1]);
            dict.pairs.emplace_back(items[i], items[i + 1]);
        }
    }

    // The memo.

    void remember(std::uint64_t index)
    {
        if (index > static_cast<std::uint64_t>(m_limits.pickleMemo) || m_memo.size() > static_cast<std::size_t>(m_limits.pickleMemo))
            refuse("its pickle remembers more values than the limit");
        m_memo[index] = top();
    }

    void recall(std::uint64_t index)
    {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            refuse("its pickle recalls a value that it never stored");
        push(found->second);
    }

    // Names and what stands for calls.

    void pushGlobal(const std::string& module, const std::string& name) { pushText(Kind::Global, module + "." + name); }

    void stackGlobal()
    {
        const PickleRef name = pop(), module = pop();
        if (name->kind != Kind::Text || module->kind != Kind::Text)
            refuse("its pickle makes a name of something that is no text");
        pushGlobal(module->text, name->text);
    }

    void reduce()
    {
        const PickleRef arguments = pop(), callee = pop();
        if (callee->kind != Kind::Global || arguments->kind != Kind::Tuple)
            refuse("its pickle calls something that is no name");
        switch (globalMeaning(callee->text)) {
        case GlobalMeaning::OrderedDict:
            return pushOrderedDict(*arguments);
        case GlobalMeaning::RebuildTensor:
            return push(rebuildTensor(*arguments));
        case GlobalMeaning::RebuildParameter:
            return pushFirstArgument(*arguments, Kind::Tensor);
        case GlobalMeaning::TorchSize:
            return pushFirstArgument(*arguments, Kind::Tuple);
        case GlobalMeaning::Inert:
            return push(record(callee->text));
        case GlobalMeaning::StorageType:
        case GlobalMeaning::Unknown:
            break;
        }
        refuseGlobal(callee->text);
    }

    PickleRef record(const std::string& global) const
    {
        auto value = make(Kind::Record);
        value->text = global;
        return value;
    }

    void pushOrderedDict(const PickleValue& arguments)
    {
        auto dict = make(Kind::Dict);
        if (!arguments.items.empty() && arguments.items[0]->kind == Kind::List) {
            for (const PickleRef& pair : arguments.items[0]->items) {
                if ((pair->kind != Kind::Tuple && pair->kind != Kind::List) || pair->items.size() != 2)
                    refuse("its pickle makes a dictionary of something that is no list of pairs");
                nest(*dict, pair->items[0]);
                nest(*dict, pair->items[1]);
                dict->pairs.emplace_back(pair->items[0], pair->items[1]);
            }
        }
        push(std::move(dict));
    }

    void pushFirstArgument(const PickleValue& arguments, Kind kind)
    {
        if (arguments.items.empty() || arguments.items[0]->kind != kind)
            refuse("its pickle rebuilds a value from the wrong parts");
        push(arguments.items[0]);
    }

    std::vector<std::int64_t> counts(const PickleValue& tuple) const
    {
        if (tuple.kind != Kind::Tuple && tuple.kind != Kind::List)
            refuse("a tensor's shape in it is no tuple");
        if (static_cast<std::int64_t>(tuple.items.size()) > m_limits.tensorRank)
            refuse("a tensor in it has more than " + std::to_string(m_limits.tensorRank) + " dimensions");
        std::vector<std::int64_t> result;
        for (const PickleRef& item : tuple.items) {
            if (item->kind != Kind::Integer || item->integer < 0)
                refuse("a tensor in it has a size or stride that is no count");
            result.push_back(item->integer);
        }
        return result;
    }

    PickleRef rebuildTensor(const PickleValue& arguments)
    {
        const auto& parts = arguments.items;
        if (parts.size() < 4 || parts[0]->kind != Kind::Storage || parts[1]->kind != Kind::Integer || parts[1]->integer < 0)
            refuse("its pickle rebuilds a tensor from the wrong parts");
        auto value = make(Kind::Tensor);
        StoredTensor& tensor = value->tensor;
        tensor = parts[0]->tensor;
        tensor.firstElement = parts[1]->integer;
        tensor.shape = counts(*parts[2]);
        tensor.strides = counts(*parts[3]);
        checkView(tensor);
        return value;
    }

    /// The view must lie inside its storage, and may not hold more elements than it (no expanded views).
    void checkView(const StoredTensor& tensor) const
    {
        if (tensor.shape.size() != tensor.strides.size())
            refuse("a tensor in it has another number of sizes than strides");
        const auto elements = checkedProduct(tensor.shape);
        if (!elements)
            refuse("a tensor in it is larger than any file");
        const auto size = static_cast<std::int64_t>(elementSize(tensor.type));
        const std::int64_t available = tensor.storageBytes / size;
        std::optional<std::int64_t> last = tensor.firstElement;
        for (std::size_t d = 0; last && *elements > 0 && d < tensor.shape.size(); ++d) {
            const auto step = checkedMultiply(tensor.shape[d] - 1, tensor.strides[d]);
            last = step ? checkedAdd(*last, *step) : std::nullopt;
        }
        if (*elements > 0 && (!last || *last >= available || *elements > available))
            refuse("a tensor in it reaches outside its storage");
    }

    void persistentId()
    {
        const PickleRef id = pop();
        const auto& parts = id->items;
        const bool valid = id->kind == Kind::Tuple && parts.size() >= 5 && parts[0]->kind == Kind::Text && parts[0]->text == "storage"
                           && parts[1]->kind == Kind::Global && parts[2]->kind == Kind::Text && parts[4]->kind == Kind::Integer;
        if (!valid)
            refuse("its pickle refers to something that is no storage");
        const auto type = storageType(parts[1]->text);
        if (!type)
            refuseGlobal(parts[1]->text);
        const auto bytes = checkedMultiply(parts[4]->integer, static_cast<std::int64_t>(elementSize(*type)));
        if (!bytes)
            refuse("a storage in it has an impossible size");
        auto value = make(Kind::Storage);
        value->tensor = m_storages({*type, parts[2]->text, parts[4]->integer});
        value->tensor.type = *type;
        if (*bytes > value->tensor.storageBytes)
            refuse("a storage in it claims more bytes than its record has");
        value->tensor.storageBytes = *bytes;
        push(std::move(value));
    }

    void newObject()
    {
        pop();  // arguments: an inert object needs none
        const PickleRef type = pop();
        if (type->kind != Kind::Global)
            refuse("its pickle makes an object of something that is no class");
        if (globalMeaning(type->text) == GlobalMeaning::OrderedDict)
            return push(make(Kind::Dict));
        push(record(type->text));
    }

    void build()
    {
        const PickleRef state = pop();
        PickleValue& object = *top();
        if (object.kind != Kind::Record)
            return;  // attributes of dictionaries and tensors (_metadata, hooks) carry no weights
        const PickleValue* attributes = state.get();
        if (attributes->kind == Kind::Tuple && !attributes->items.empty())
            attributes = attributes->items[0].get();
        requireOpen(object);
        if (attributes->kind == Kind::Dict) {
            for (const auto& [key, value] : attributes->pairs) {
                nest(object, value);
                object.pairs.emplace_back(key, value);
            }
        }
    }

    void longInteger(std::uint64_t length)
    {
        if (length > 8)
            refuse("a number in it is longer than 64 bits");
        const auto part = take(length);
        std::uint64_t value = !part.empty() && (static_cast<unsigned>(part.back()) & 0x80) != 0 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = part.size(); i-- > 0;)
            value = (value << 8) | static_cast<std::uint64_t>(part[i]);
        pushInteger(static_cast<std::int64_t>(value));
    }

    void real()
    {
        std::uint64_t bits = 0;
        for (const std::byte b : take(8))  // big-endian
            bits = (bits << 8) | static_cast<std::uint64_t>(b);
        auto value = make(Kind::Real);
        value->real = std::bit_cast<double>(bits);
        push(std::move(value));
    }

    void tuple(int count)
    {
        std::vector<PickleRef> items(static_cast<std::size_t>(count));
        for (std::size_t i = items.size(); i-- > 0;)
            items[i] = pop();
        push(container(Kind::Tuple, std::move(items)));
    }

    // One instruction. The numbers are those of Python's pickletools.
    void step(int operation)
    {
        if (stepValue(operation) || stepContainer(operation) || stepObject(operation))
            return;
        refuse("its pickle uses instruction " + std::to_string(operation) + ", which no checkpoint needs");
    }

    bool stepValue(int operation)
    {
        switch (operation) {
        case 0x80: number(1); return true;                                    // PROTO
        case 0x95: number(8); return true;                                    // FRAME
        case 'N': push(make(Kind::None)); return true;
        case 0x88: pushBool(true); return true;
        case 0x89: pushBool(false); return true;
        case 'J': pushInteger(static_cast<std::int32_t>(number(4))); return true;
        case 'K': pushInteger(static_cast<std::int64_t>(number(1))); return true;
        case 'M': pushInteger(static_cast<std::int64_t>(number(2))); return true;
        case 0x8a: longInteger(number(1)); return true;
        case 0x8b: longInteger(number(4)); return true;
        case 'G': real(); return true;
        case 'X': pushText(Kind::Text, text(number(4))); return true;
        case 0x8c: pushText(Kind::Text, text(number(1))); return true;
        case 0x8d: pushText(Kind::Text, text(number(8))); return true;
        case 'U': pushText(Kind::Text, text(number(1))); return true;         // Python 2 strings
        case 'T': pushText(Kind::Text, text(number(4))); return true;
        case 'C': pushText(Kind::Bytes, text(number(1))); return true;
        case 'B': pushText(Kind::Bytes, text(number(4))); return true;
        case 0x8e: pushText(Kind::Bytes, text(number(8))); return true;
        default: return false;
        }
    }

    bool stepContainer(int operation)
    {
        switch (operation) {
        case '(': m_marks.push_back(m_stack.size()); return true;
        case '0': pop(); return true;
        case '1': popToMark(); return true;
        case '2': push(top()); return true;
        case ']': push(make(Kind::List)); return true;
        case '}': push(make(Kind::Dict)); return true;
        case 0x8f: push(make(Kind::Set)); return true;
        case ')': push(make(Kind::Tuple)); return true;
        case 'l': push(container(Kind::List, popToMark())); return true;
        case 't': push(container(Kind::Tuple, popToMark())); return true;
        case 0x85: tuple(1); return true;
        case 0x86: tuple(2); return true;
        case 0x87: tuple(3); return true;
        case 'a': { const PickleRef item = pop(); append({item}); return true; }
        case 'e': case 0x90: { const auto items = popToMark(); append(items); return true; }
        case 's': { const PickleRef value = pop(), key = pop(); setItems({key, value}); return true; }
        case 'u': { const auto items = popToMark(); setItems(items); return true; }
        case 'h': recall(number(1)); return true;
        case 'j': recall(number(4)); return true;
        case 'q': remember(number(1)); return true;
        case 'r': remember(number(4)); return true;
        case 0x94: remember(m_memo.size()); return true;
        default: return false;
        }
    }

    bool stepObject(int operation)
    {
        switch (operation) {
        case 'c': { const std::string module = line(), name = line(); pushGlobal(module, name); return true; }
        case 0x93: stackGlobal(); return true;
        case 'R': reduce(); return true;
        case 0x81: newObject(); return true;
        case 'b': build(); return true;
        case 'Q': persistentId(); return true;
        default: return false;
        }
    }

    std::span<const std::byte> m_bytes;
    const std::string& m_name;
    const StorageFinder& m_storages;
    const Limits& m_limits;
    std::size_t m_position = 0;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::map<std::uint64_t, PickleRef> m_memo;
};

/// Values can be shared many times over, so that the number of visits needs a bound of its own.
class JsonWriter {
public:
    Json write(const PickleValue& value, int depth)
    {
        constexpr int deepest = 4;
        constexpr std::size_t longestText = 1024;
        if (depth > deepest || --m_budget < 0)
            return nullptr;
        switch (value.kind) {
        case Kind::Bool:
            return value.flag;
        case Kind::Integer:
            return value.integer;
        case Kind::Real:
            return std::isfinite(value.real) ? Json(value.real) : Json(nullptr);
        case Kind::Text:
        case Kind::Global:
            return printable(std::string_view(value.text).substr(0, longestText));
        case Kind::Dict:
        case Kind::Record:
            return object(value, depth);
        case Kind::List:
        case Kind::Tuple:
            return array(value, depth);
        default:
            return nullptr;
        }
    }

private:
    Json object(const PickleValue& value, int depth)
    {
        Json json = Json::object();
        for (const auto& [key, item] : value.pairs)
            if (m_budget > 0)
                json[key->kind == Kind::Text ? printable(key->text) : std::to_string(key->integer)] = write(*item, depth + 1);
        return json;
    }

    Json array(const PickleValue& value, int depth)
    {
        Json json = Json::array();
        for (const PickleRef& item : value.items)
            if (m_budget > 0)
                json.push_back(write(*item, depth + 1));
        return json;
    }

    std::int64_t m_budget = 4096;
};

}  // namespace

PickleRef readPickle(std::span<const std::byte> bytes, const std::string& name, const StorageFinder& storages, const Limits& limits,
                     std::size_t* consumed)
{
    Machine machine(bytes, name, storages, limits);
    PickleRef value = machine.run();
    if (consumed != nullptr)
        *consumed = machine.position();
    return value;
}

Json toJson(const PickleValue& value)
{
    return JsonWriter().write(value, 0);
}

}  // namespace attnscope

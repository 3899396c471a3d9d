// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/pickle.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/checkpoint/pickle_globals.h"
#include "core/checkpoint/pickle_reader.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace attnscope {

namespace {

// clang-format off
/// Opcodes under the names of Python's pickletools.
enum Op : std::uint8_t {
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

/// Values take about fifty bytes each, whatever the file spends on them: bounded, so that memory is.
constexpr std::size_t mostValues = 4'000'000;
/// All texts together, in multiples of the longest: five bytes join two recalled texts into a name of 2 KiB.
constexpr std::int64_t longestTexts = 8;
constexpr std::int64_t longestName = 1024;
/// A training checkpoint holds its weights up to four times: themselves, averaged, and two moments of the
/// optimizer.
constexpr std::int64_t tensorSets = 8;

}  // namespace

class PickleMachine {
public:
    PickleMachine(const ByteSource& source, std::int64_t begin, std::int64_t end, const Limits& limits)
        : m_name(source.name())
        , m_begin(begin)
        , m_reader(source, begin, end)
        , m_limits(limits)
    {}

    PickleGraph run()
    {
        for (std::int64_t operations = 0;; ++operations) {
            if (operations == m_limits.pickleOperations)
                refuse("its pickle has too many operations");
            const std::uint8_t op = m_reader.byte();
            if (op == Stop)
                break;
            const bool known = number(op) || text(op) || container(op) || memo(op) || stack(op) || object(op);
            if (!known)
                refuseOperation(op);
        }
        m_graph.m_root = pop();
        m_graph.m_end = m_reader.position();
        return std::move(m_graph);
    }

private:
    using Kind = PickleKind;

    [[noreturn]] void refuse(const std::string& problem,
                             const char* remedy = "it is damaged; copy or download it again") const
    {
        throw FileError(m_name, problem, remedy);
    }

    [[noreturn]] void refuseCall(std::string_view global) const
    {
        refuse("it asks to run `" + familiarName(global) + "`, which Attnscope never does",
               "save the weights as safetensors, or only their state_dict");
    }

    [[noreturn]] void refuseOperation(std::uint8_t op) const
    {
        constexpr std::string_view digits = "0123456789abcdef";
        refuse(std::string("its pickle has the operation 0x") + digits[op >> 4] + digits[op & 15]
                   + ", which checkpoints do not need",
               "save it again with torch.save or as safetensors");
    }

    // Values

    PickleRef add(Kind kind, std::int64_t payload, std::size_t length = 0)
    {
        if (m_graph.m_nodes.size() == mostValues)
            refuse("its pickle holds more than " + std::to_string(mostValues) + " values");
        m_graph.m_nodes.push_back({kind, 0, static_cast<std::uint32_t>(length), payload});
        return static_cast<PickleRef>(m_graph.m_nodes.size() - 1);
    }

    PickleRef addContainer(Kind kind, std::vector<PickleRef> items)
    {
        const PickleRef ref = add(kind, static_cast<std::int64_t>(m_graph.m_items.size()));
        for (const PickleRef item : items)
            deepen(ref, item);
        m_graph.m_items.push_back(std::move(items));
        return ref;
    }

    PickleRef addText(Kind kind, std::string_view text)
    {
        chargeText(text.size());
        const std::size_t start = m_graph.m_text.size();
        m_graph.m_text += text;
        return add(kind, static_cast<std::int64_t>(start), text.size());
    }

    void chargeText(std::size_t bytes) const
    {
        const std::int64_t most = longestTexts * m_limits.pickleStringBytes;
        if (static_cast<std::int64_t>(m_graph.m_text.size() + bytes) > most)
            refuse("its pickle holds more than " + std::to_string(most) + " bytes of text");
    }

    void deepen(PickleRef parent, PickleRef child)
    {
        const int depth = m_graph.m_nodes[child].depth + 1;
        if (depth > m_limits.pickleDepth)
            refuse("its pickle is nested more than " + std::to_string(m_limits.pickleDepth) + " deep");
        auto& own = m_graph.m_nodes[parent].depth;
        own = std::max(own, static_cast<std::uint16_t>(depth));
    }

    std::vector<PickleRef>& itemsOf(PickleRef ref)
    {
        return m_graph.m_items[static_cast<std::size_t>(m_graph.m_nodes[ref].payload)];
    }

    void push(PickleRef ref) { m_stack.push_back(ref); }

    PickleRef pop()
    {
        const PickleRef ref = top();
        m_stack.pop_back();
        return ref;
    }

    /// What lies below the last mark is out of reach, as in Python's own machine.
    PickleRef top() const
    {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            refuse("its pickle takes a value from an empty stack");
        return m_stack.back();
    }

    std::vector<PickleRef> popToMark()
    {
        if (m_marks.empty())
            refuse("its pickle ends a list that it never began");
        const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<PickleRef> items(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return items;
    }

    std::vector<PickleRef> popCount(std::size_t count)
    {
        std::vector<PickleRef> items(count);
        for (std::size_t i = count; i-- > 0;)
            items[i] = pop();
        return items;
    }

    // Numbers and texts

    bool number(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case None: push(add(Kind::None, 0)); return true;
        case NewTrue: push(add(Kind::Bool, 1)); return true;
        case NewFalse: push(add(Kind::Bool, 0)); return true;
        case BinInt: push(add(Kind::Int, static_cast<std::int32_t>(m_reader.number(4)))); return true;
        case BinInt1: push(add(Kind::Int, static_cast<std::int64_t>(m_reader.number(1)))); return true;
        case BinInt2: push(add(Kind::Int, static_cast<std::int64_t>(m_reader.number(2)))); return true;
        case Long1: pushLong(m_reader.number(1)); return true;
        case Long4: pushLong(m_reader.number(4)); return true;
        case BinFloat: pushFloat(); return true;
        default: return false;
        }
        // clang-format on
    }

    void pushFloat()
    {
        std::uint64_t bits = 0;  // the one big-endian number of the format
        for (int i = 0; i < 8; ++i)
            bits = (bits << 8) | m_reader.byte();
        push(add(Kind::Float, std::bit_cast<std::int64_t>(bits)));
    }

    void pushLong(std::uint64_t length)
    {
        const std::string digits = readText(length);
        if (digits.size() > 8) {
            push(add(Kind::BigInt, 0));
            return;
        }
        std::uint64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? ~std::uint64_t{0} : 0;
        for (std::size_t i = digits.size(); i-- > 0;)
            value = (value << 8) | static_cast<unsigned char>(digits[i]);
        push(add(Kind::Int, std::bit_cast<std::int64_t>(value)));
    }

    /// Lengths are checked against what is left before anything is allocated for them.
    std::string readText(std::uint64_t length)
    {
        checkLength(length);
        std::string text;
        text.reserve(length);
        m_reader.appendTo(text, length);
        return text;
    }

    void checkLength(std::uint64_t length) const
    {
        if (length > static_cast<std::uint64_t>(m_reader.left()))
            refuse("its pickle claims a text of " + std::to_string(length) + " bytes, more than the file has");
        if (length > static_cast<std::uint64_t>(m_limits.pickleStringBytes))
            refuse("its pickle holds a text of " + std::to_string(length) + " bytes, over the limit of "
                   + std::to_string(m_limits.pickleStringBytes));
    }

    bool text(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case ShortBinString: pushText(Kind::Text, m_reader.number(1)); return true;  // Python 2's str
        case BinString: pushText(Kind::Text, m_reader.number(4)); return true;
        case ShortBinUnicode: pushText(Kind::Text, m_reader.number(1)); return true;
        case BinUnicode: pushText(Kind::Text, m_reader.number(4)); return true;
        case BinUnicode8: pushText(Kind::Text, m_reader.number(8)); return true;
        case ShortBinBytes: pushText(Kind::Bytes, m_reader.number(1)); return true;
        case BinBytes: pushText(Kind::Bytes, m_reader.number(4)); return true;
        case BinBytes8: pushText(Kind::Bytes, m_reader.number(8)); return true;
        case ByteArray8: pushText(Kind::Bytes, m_reader.number(8)); return true;
        default: return false;
        }
        // clang-format on
    }

    void pushText(Kind kind, std::uint64_t length)
    {
        checkLength(length);
        chargeText(length);
        const std::size_t start = m_graph.m_text.size();
        m_reader.appendTo(m_graph.m_text, length);
        push(add(kind, static_cast<std::int64_t>(start), length));
    }

    // Containers

    bool container(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case EmptyTuple: push(addContainer(Kind::Tuple, {})); return true;
        case EmptyList: push(addContainer(Kind::List, {})); return true;
        case EmptyDict: push(addContainer(Kind::Dict, {})); return true;
        case EmptySet: push(addContainer(Kind::Set, {})); return true;
        case TupleOp: push(addContainer(Kind::Tuple, popToMark())); return true;
        case ListOp: push(addContainer(Kind::List, popToMark())); return true;
        case FrozenSet: push(addContainer(Kind::Set, popToMark())); return true;
        case DictOp: makeDict(popToMark()); return true;
        case Tuple1: push(addContainer(Kind::Tuple, popCount(1))); return true;
        case Tuple2: push(addContainer(Kind::Tuple, popCount(2))); return true;
        case Tuple3: push(addContainer(Kind::Tuple, popCount(3))); return true;
        case Append: extend(popCount(1)); return true;
        case Appends:
        case AddItems: extend(popToMark()); return true;
        case SetItem: setItems(popCount(2)); return true;
        case SetItems: setItems(popToMark()); return true;
        default: return false;
        }
        // clang-format on
    }

    void makeDict(std::vector<PickleRef> items)
    {
        push(addContainer(Kind::Dict, {}));
        setItems(std::move(items));
    }

    void extend(std::vector<PickleRef> items)
    {
        const PickleRef target = top();
        if (m_graph.is(target, Kind::Record))
            return;  // a subclass of list: its fields are kept, its elements are not
        if (!m_graph.is(target, Kind::List) && !m_graph.is(target, Kind::Set))
            refuse("its pickle appends to something that is no list");
        insert(target, items);
    }

    void setItems(std::vector<PickleRef> items)
    {
        const PickleRef target = top();
        if (!m_graph.is(target, Kind::Dict) && !m_graph.is(target, Kind::Record))
            refuse("its pickle sets items of something that is no dictionary");
        if (items.size() % 2 != 0)
            refuse("its pickle sets an item without a value");
        insert(target, items);
    }

    void insert(PickleRef target, const std::vector<PickleRef>& items)
    {
        for (const PickleRef item : items)
            deepen(target, item);
        std::vector<PickleRef>& own = itemsOf(target);
        own.insert(own.end(), items.begin(), items.end());
    }

    // Memo and stack

    bool memo(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case BinPut: put(m_reader.number(1)); return true;
        case LongBinPut: put(m_reader.number(4)); return true;
        case Memoize: put(m_memo.size()); return true;
        case BinGet: get(m_reader.number(1)); return true;
        case LongBinGet: get(m_reader.number(4)); return true;
        default: return false;
        }
        // clang-format on
    }

    void put(std::uint64_t slot)
    {
        m_memo[slot] = top();
        if (static_cast<std::int64_t>(m_memo.size()) > m_limits.pickleMemo)
            refuse("its pickle remembers more than " + std::to_string(m_limits.pickleMemo) + " values");
    }

    void get(std::uint64_t slot)
    {
        const auto found = m_memo.find(slot);
        if (found == m_memo.end())
            refuse("its pickle recalls a value that it never stored");
        checkStack();
        push(found->second);
    }

    /// Recalling and duplicating make no value, so the count of values does not bound the stack.
    void checkStack() const
    {
        if (m_stack.size() >= mostValues || m_marks.size() >= mostValues)
            refuse("its pickle piles up too many values");
    }

    bool stack(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case Mark: checkStack(); m_marks.push_back(m_stack.size()); return true;
        case Pop: popOrUnmark(); return true;
        case PopMark: popToMark(); return true;
        case Dup: checkStack(); push(top()); return true;
        case Proto: checkProtocol(m_reader.byte()); return true;
        case Frame: checkFrame(m_reader.number(8)); return true;
        default: return false;
        }
        // clang-format on
    }

    void popOrUnmark()
    {
        if (!m_marks.empty() && m_marks.back() == m_stack.size())
            m_marks.pop_back();
        else
            pop();
    }

    void checkProtocol(int protocol) const
    {
        if (protocol < 2 || protocol > 5)
            refuse("its pickle is of protocol " + std::to_string(protocol) + ", which is none of 2 to 5");
    }

    void checkFrame(std::uint64_t length) const
    {
        if (length > static_cast<std::uint64_t>(m_reader.left()))
            refuse("its pickle claims a frame larger than the file");
    }

    // Names, calls and objects

    bool object(std::uint8_t op)
    {
        // clang-format off
        switch (op) {
        case Global: push(readGlobal()); return true;
        case StackGlobal: stackGlobal(); return true;
        case Reduce: reduce(); return true;
        case NewObj: newObject(popCount(2)); return true;
        case NewObjEx: newObject(popCount(3)); return true;
        case Build: build(); return true;
        case BinPersId: push(storage(pop())); return true;
        case Inst: refuseCall(m_graph.text(readGlobal()));
        case Obj: refuseObj(popToMark());
        default: return false;
        }
        // clang-format on
    }

    std::string readLine()
    {
        std::string line;
        for (char c = static_cast<char>(m_reader.byte()); c != '\n'; c = static_cast<char>(m_reader.byte())) {
            if (static_cast<std::int64_t>(line.size()) == longestName)
                refuse("its pickle holds a name of more than " + std::to_string(longestName) + " bytes");
            line += c;
        }
        return line;
    }

    PickleRef readGlobal()
    {
        const std::string module = readLine();
        return addText(Kind::Global, module + "." + readLine());
    }

    void stackGlobal()
    {
        const auto names = popCount(2);
        if (!m_graph.is(names[0], Kind::Text) || !m_graph.is(names[1], Kind::Text))
            refuse("its pickle names something by a value that is no text");
        const std::string global = std::string(m_graph.text(names[0])) + "." + std::string(m_graph.text(names[1]));
        if (static_cast<std::int64_t>(global.size()) > 2 * longestName)
            refuse("its pickle holds a name of more than " + std::to_string(longestName) + " bytes");
        push(addText(Kind::Global, global));
    }

    [[noreturn]] void refuseObj(const std::vector<PickleRef>& items) const
    {
        if (!items.empty() && m_graph.is(items.front(), Kind::Global))
            refuseCall(m_graph.text(items.front()));
        refuse("its pickle makes an object of nothing");
    }

    void reduce()
    {
        const auto call = popCount(2);
        if (m_graph.is(call[0], Kind::Record))
            refuse("it asks to call an object, which Attnscope never does",
                   "save the weights as safetensors, or only their state_dict");
        if (!m_graph.is(call[0], Kind::Global) || !m_graph.is(call[1], Kind::Tuple))
            refuse("its pickle calls something that is no name");
        push(result(call[0], call[1]));
    }

    PickleRef result(PickleRef function, PickleRef arguments)
    {
        chargeCopy(itemsOf(arguments).size());
        const std::vector<PickleRef> items = itemsOf(arguments);
        // clang-format off
        switch (pickleCallOf(m_graph.text(function))) {
        case PickleCall::Dictionary: return dictionary(items);
        case PickleCall::Set: return addContainer(Kind::Set, sequence(items));
        case PickleCall::Tuple: return addContainer(Kind::Tuple, sequence(items));
        case PickleCall::TensorV1: return tensor(items, 4);
        case PickleCall::TensorV2: return tensor(items, 6);
        case PickleCall::TensorV3: return typedTensor(items);
        case PickleCall::Parameter: return parameter(items);
        case PickleCall::TensorOfType: return tensorOfType(items);
        case PickleCall::Reconstruct: return reconstructed(items);
        case PickleCall::Inert: return record(function, arguments);
        case PickleCall::Unknown: break;
        }
        // clang-format on
        refuseCall(m_graph.text(function));
    }

    /// OrderedDict() or, from Python 2, OrderedDict([[key, value], …]). A default factory is a name, and stays
    /// one.
    PickleRef dictionary(const std::vector<PickleRef>& arguments)
    {
        std::vector<PickleRef> entries;
        for (const PickleRef argument : arguments)
            if (m_graph.is(argument, Kind::List) || m_graph.is(argument, Kind::Dict))
                appendEntries(argument, entries);
        return addContainer(Kind::Dict, std::move(entries));
    }

    void appendEntries(PickleRef argument, std::vector<PickleRef>& entries)
    {
        const auto items = m_graph.items(argument);
        chargeCopy(2 * items.size());
        if (m_graph.is(argument, Kind::Dict)) {
            entries.insert(entries.end(), items.begin(), items.end());
            return;
        }
        for (const PickleRef pair : items) {
            if ((!m_graph.is(pair, Kind::List) && !m_graph.is(pair, Kind::Tuple))
                || m_graph.items(pair).size() != 2)
                refuse("its pickle makes a dictionary of something else than pairs");
            entries.insert(entries.end(), m_graph.items(pair).begin(), m_graph.items(pair).end());
        }
    }

    /// A call of four bytes copies whole lists: together the copies may not outgrow the pickle itself.
    void chargeCopy(std::size_t items)
    {
        m_copied += static_cast<std::int64_t>(items);
        if (m_copied > 4 * (m_reader.position() - m_begin))
            refuse("its pickle copies the same values again and again");
    }

    std::vector<PickleRef> sequence(const std::vector<PickleRef>& arguments)
    {
        if (arguments.empty())
            return {};
        const Kind kind = m_graph.kind(arguments.front());
        if (arguments.size() != 1 || (kind != Kind::List && kind != Kind::Tuple && kind != Kind::Set))
            refuse("its pickle makes a set of something that is no list");
        const auto items = m_graph.items(arguments.front());
        chargeCopy(items.size());
        return {items.begin(), items.end()};
    }

    PickleRef record(PickleRef type, PickleRef arguments)
    {
        return addContainer(Kind::Record, {type, arguments, add(Kind::None, 0)});
    }

    PickleRef reconstructed(const std::vector<PickleRef>& arguments)
    {
        if (arguments.size() != 3 || !m_graph.is(arguments[0], Kind::Global))
            refuse("its pickle makes an object without a class");
        return record(arguments[0], addContainer(Kind::Tuple, {}));
    }

    void newObject(const std::vector<PickleRef>& parts)
    {
        if (!m_graph.is(parts[0], Kind::Global) || !m_graph.is(parts[1], Kind::Tuple))
            refuse("its pickle makes an object without a class");
        const bool dict = pickleCallOf(m_graph.text(parts[0])) == PickleCall::Dictionary;
        push(dict ? addContainer(Kind::Dict, {}) : record(parts[0], parts[1]));
    }

    /// Sets the fields of an object. Fields of dictionaries and tensors (_metadata, hooks) say nothing about
    /// weights.
    void build()
    {
        const PickleRef state = pop();
        const PickleRef target = top();
        switch (m_graph.kind(target)) {
        case Kind::Record:
            deepen(target, state);
            itemsOf(target)[2] = state;
            return;
        case Kind::Dict:
        case Kind::Set:
        case Kind::Tensor:
            return;
        case Kind::Global:
            refuse("it asks to change `" + familiarName(m_graph.text(target)) + "`, which Attnscope never does",
                   "save the weights as safetensors, or only their state_dict");
        default:
            refuse("its pickle sets the fields of something that has none");
        }
    }

    // Storages and tensors

    PickleRef storage(PickleRef id)
    {
        const auto parts = m_graph.is(id, Kind::Tuple) ? m_graph.items(id) : std::span<const PickleRef>();
        const bool wellFormed = (parts.size() == 5 || parts.size() == 6) && m_graph.is(parts[0], Kind::Text)
                                && m_graph.text(parts[0]) == "storage" && m_graph.is(parts[1], Kind::Global)
                                && m_graph.is(parts[2], Kind::Text) && m_graph.is(parts[4], Kind::Int);
        if (!wellFormed)
            refuse("its pickle refers to a storage in an unknown way");
        const auto type = storageTypeOf(m_graph.text(parts[1]));
        if (!type)
            refuse("its pickle has a storage of the unknown type `" + familiarName(m_graph.text(parts[1])) + "`");
        PickleStorage storage{*type, std::string(m_graph.text(parts[2])), m_graph.integer(parts[4]), 0,
                              m_graph.integer(parts[4])};
        if (storage.elements < 0)
            refuse("its pickle has a storage of negative size");
        if (parts.size() == 6 && !m_graph.is(parts[5], Kind::None))
            readView(parts[5], storage);
        return add(Kind::Storage, indexOf(std::move(storage)));
    }

    void readView(PickleRef view, PickleStorage& storage) const
    {
        const auto parts = m_graph.is(view, Kind::Tuple) ? m_graph.items(view) : std::span<const PickleRef>();
        if (parts.size() != 3 || !m_graph.is(parts[1], Kind::Int) || !m_graph.is(parts[2], Kind::Int))
            refuse("its pickle has a view of a storage in an unknown form");
        storage.viewOffset = m_graph.integer(parts[1]);
        storage.viewElements = m_graph.integer(parts[2]);
        const auto end = checkedAdd(storage.viewOffset, storage.viewElements);
        if (!end || *end > storage.elements)
            refuse("its pickle has a view that reaches outside its storage");
    }

    /// One storage may be named many times, but always by the same type and size.
    std::int64_t indexOf(PickleStorage storage)
    {
        std::vector<std::uint32_t>& known = m_storageOf[storage.key];
        for (const std::uint32_t index : known) {
            const PickleStorage& other = m_graph.m_storages[index];
            if (other.type != storage.type || other.elements != storage.elements)
                refuse("its pickle describes the storage `" + printable(storage.key) + "` in two ways");
            if (other.viewOffset == storage.viewOffset && other.viewElements == storage.viewElements)
                return index;
        }
        if (known.size() == 1024)
            refuse("its pickle has more than 1024 views of the storage `" + printable(storage.key) + "`");
        known.push_back(static_cast<std::uint32_t>(m_graph.m_storages.size()));
        m_graph.m_storages.push_back(std::move(storage));
        return known.back();
    }

    std::vector<std::int64_t> sizes(PickleRef ref) const
    {
        if (!m_graph.is(ref, Kind::Tuple) && !m_graph.is(ref, Kind::List))
            refuse("its pickle has a tensor without a shape");
        const auto items = m_graph.items(ref);
        if (static_cast<std::int64_t>(items.size()) > m_limits.tensorRank)
            refuse("its pickle has a tensor of more than " + std::to_string(m_limits.tensorRank) + " dimensions");
        std::vector<std::int64_t> sizes;
        for (const PickleRef item : items) {
            if (!m_graph.is(item, Kind::Int))
                refuse("its pickle has a tensor whose shape is not of integers");
            sizes.push_back(m_graph.integer(item));
        }
        return sizes;
    }

    PickleRef tensor(const std::vector<PickleRef>& arguments, std::size_t least)
    {
        if (arguments.size() < least || !m_graph.is(arguments[0], Kind::Storage)
            || !m_graph.is(arguments[1], Kind::Int))
            refuse("its pickle makes a tensor of something that is no storage");
        if (static_cast<std::int64_t>(m_graph.m_tensors.size()) >= tensorSets * m_limits.tensors)
            refuse("its pickle makes more than " + std::to_string(tensorSets * m_limits.tensors) + " tensors");
        PickleTensor made;
        made.storage = static_cast<std::uint32_t>(m_graph.integer(arguments[0]));
        made.type = m_graph.m_storages[made.storage].type;
        made.firstElement = m_graph.integer(arguments[1]);
        made.shape = sizes(arguments[2]);
        made.strides = sizes(arguments[3]);
        m_graph.m_tensors.push_back(std::move(made));
        return add(Kind::Tensor, static_cast<std::int64_t>(m_graph.m_tensors.size() - 1));
    }

    PickleRef typedTensor(const std::vector<PickleRef>& arguments)
    {
        const PickleRef made = tensor(arguments, 7);
        const auto type = m_graph.is(arguments[6], Kind::Global) ? dtypeOf(m_graph.text(arguments[6]))
                                                                 : std::nullopt;
        if (!type)
            refuse("its pickle has a tensor of an unknown type");
        m_graph.m_tensors.back().type = *type;
        return made;
    }

    PickleRef parameter(const std::vector<PickleRef>& arguments) const
    {
        if (arguments.empty() || !m_graph.is(arguments[0], Kind::Tensor))
            refuse("its pickle makes a parameter of something that is no tensor");
        return arguments[0];
    }

    PickleRef tensorOfType(const std::vector<PickleRef>& arguments)
    {
        const bool wellFormed = arguments.size() == 4 && m_graph.is(arguments[0], Kind::Global)
                                && m_graph.is(arguments[2], Kind::Tuple);
        if (!wellFormed)
            refuse("its pickle makes a tensor of something that is no storage");
        const PickleCall call = pickleCallOf(m_graph.text(arguments[0]));
        if (call != PickleCall::TensorV2 && call != PickleCall::TensorV3 && call != PickleCall::Parameter)
            refuseCall(m_graph.text(arguments[0]));
        return result(arguments[0], arguments[2]);
    }

    const std::string m_name;
    const std::int64_t m_begin;
    std::int64_t m_copied = 0;
    PickleReader m_reader;
    const Limits m_limits;
    PickleGraph m_graph;
    std::vector<PickleRef> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, PickleRef> m_memo;
    std::map<std::string, std::vector<std::uint32_t>> m_storageOf;
};

PickleGraph readPickle(const ByteSource& source, std::int64_t begin, std::int64_t end, const Limits& limits)
{
    return PickleMachine(source, begin, end, limits).run();
}

}  // namespace attnscope

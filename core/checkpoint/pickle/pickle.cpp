#include "core/checkpoint/pickle/pickle.h"

#include "core/base/error.h"
#include "core/checkpoint/pickle/pickle_calls.h"
#include "core/checkpoint/pickle/pickle_opcodes.h"

#include <algorithm>
#include <unordered_map>

namespace attnscope {

namespace {

using namespace pickle_op;

constexpr int64_t longestGlobal = 1024;
/// Memo lookups, duplicates and marks create no values, so that the number of values does not bound the stack.
constexpr size_t maxEntries = 4'000'000;

/// A range of the source, read one window at a time.
class PickleReader {
public:
    PickleReader(const ByteSource& source, int64_t begin, int64_t end)
        : m_source(source)
        , m_windowStart(begin)
        , m_end(end)
    {}

    int64_t position() const { return m_windowStart + int64_t(m_next); }
    int64_t left() const { return m_end - position(); }

    uint8_t byte()
    {
        if (m_next == m_window.size())
            refill();
        return uint8_t(m_window[m_next++]);
    }

    uint64_t number(int bytes)
    {
        uint64_t value = 0;
        for (int i = 0; i < bytes; ++i)
            value |= uint64_t(byte()) << (8 * i);
        return value;
    }

    /// The caller must have checked `length` against left().
    void appendTo(std::string& text, size_t length)
    {
        while (length > 0) {
            if (m_next == m_window.size())
                refill();
            const size_t chunk = std::min(length, m_window.size() - m_next);
            text.append(reinterpret_cast<const char*>(m_window.data()) + m_next, chunk);
            m_next += chunk;
            length -= chunk;
        }
    }

private:
    void refill()
    {
        m_windowStart = position();
        m_next = 0;
        const int64_t size = std::min<int64_t>(m_end - m_windowStart, 65'536);
        m_window.resize(size_t(std::max<int64_t>(size, 0)));
        if (m_window.empty())
            throw FileError(m_source.name(), "its pickle is truncated",
                            "it is damaged; copy or download it again");
        m_source.read(m_windowStart, m_window);
    }

    const ByteSource& m_source;
    int64_t m_windowStart;
    int64_t m_end;
    std::vector<std::byte> m_window;
    size_t m_next = 0;
};

/// The stack of a pickle's machine with its marks, and the memo. What is below the last mark is inaccessible, as in Python's own machine.
class PickleStack {
public:
    explicit PickleStack(const PickleValues& values)
        : m_values(values)
    {}

    void push(PickleRef ref) { m_stack.push_back(ref); }

    PickleRef pop()
    {
        const PickleRef ref = top();
        m_stack.pop_back();
        return ref;
    }

    PickleRef top() const
    {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back()))
            m_values.refuse("its pickle takes a value from an empty stack");
        return m_stack.back();
    }

    std::vector<PickleRef> popCount(size_t count)
    {
        std::vector<PickleRef> items(count);
        for (size_t i = count; i-- > 0;)
            items[i] = pop();
        return items;
    }

    void duplicate()
    {
        checkRoom();
        push(top());
    }

    void mark()
    {
        checkRoom();
        m_marks.push_back(m_stack.size());
    }

    std::vector<PickleRef> popToMark()
    {
        if (m_marks.empty())
            m_values.refuse("its pickle ends a list that it never started");
        const auto first = m_stack.begin() + ptrdiff_t(m_marks.back());
        std::vector<PickleRef> items(first, m_stack.end());
        m_stack.erase(first, m_stack.end());
        m_marks.pop_back();
        return items;
    }

    /// The operation POP removes a mark if one is on top.
    void popOrUnmark()
    {
        if (!m_marks.empty() && m_marks.back() == m_stack.size())
            m_marks.pop_back();
        else
            pop();
    }

    void memoize() { put(m_memo.size()); }

    void put(uint64_t slot)
    {
        m_memo[slot] = top();
        const int64_t most = m_values.limits().pickleMemo;
        if (int64_t(m_memo.size()) > most)
            m_values.refuse("its pickle remembers more than " + std::to_string(most) + " values");
    }

    void get(uint64_t slot)
    {
        const auto found = m_memo.find(slot);
        if (found == m_memo.end())
            m_values.refuse("its pickle recalls a value that it never stored");
        checkRoom();
        push(found->second);
    }

private:
    void checkRoom() const
    {
        if (m_stack.size() >= maxEntries || m_marks.size() >= maxEntries)
            m_values.refuse("its pickle has too many values on the stack");
    }

    const PickleValues& m_values;
    std::vector<PickleRef> m_stack;
    std::vector<size_t> m_marks;
    std::unordered_map<uint64_t, PickleRef> m_memo;
};

/// The stack machine: one opcode after the other, until STOP.
class PickleMachine {
public:
    PickleMachine(const ByteSource& source, int64_t begin, int64_t end, const Limits& limits)
        : m_begin(begin)
        , m_reader(source, begin, end)
        , m_values(source.name(), limits)
        , m_calls(m_values)
        , m_stack(m_values)
    {}

    PickleGraph run()
    {
        for (int64_t operations = 0;; ++operations) {
            if (operations == m_values.limits().pickleOperations)
                m_values.refuse("its pickle has too many operations");
            const uint8_t op = m_reader.byte();
            if (op == Stop)
                break;
            const bool known = number(op) || text(op) || container(op) || memo(op) || stack(op) || object(op);
            if (!known)
                refuseOperation(op);
        }
        return m_values.take(m_stack.pop(), m_reader.position());
    }

private:
    using Kind = PickleKind;

    const PickleGraph& graph() const { return m_values.graph(); }
    int64_t bytesRead() const { return m_reader.position() - m_begin; }

    [[noreturn]] void refuseOperation(uint8_t op) const
    {
        constexpr std::string_view digits = "0123456789abcdef";
        m_values.refuse(std::string("its pickle has the operation 0x") + digits[op >> 4] + digits[op & 15]
                            + ", which checkpoints do not need",
                        "save it again with torch.save or as safetensors");
    }

    // Numbers and texts

    bool number(uint8_t op)
    {
        // clang-format off
        switch (op) {
        case None: m_stack.push(m_values.add(Kind::None, 0)); return true;
        case NewTrue: m_stack.push(m_values.add(Kind::Bool, 1)); return true;
        case NewFalse: m_stack.push(m_values.add(Kind::Bool, 0)); return true;
        case BinInt: m_stack.push(m_values.add(Kind::Int, int32_t(m_reader.number(4)))); return true;
        case BinInt1: m_stack.push(m_values.add(Kind::Int, int64_t(m_reader.number(1)))); return true;
        case BinInt2: m_stack.push(m_values.add(Kind::Int, int64_t(m_reader.number(2)))); return true;
        case Long1: pushLong(m_reader.number(1)); return true;
        case Long4: pushLong(m_reader.number(4)); return true;
        case BinFloat: pushFloat(); return true;
        default: return false;
        }
        // clang-format on
    }

    void pushFloat()
    {
        uint64_t bits = 0;  // the only big-endian number of the format
        for (int i = 0; i < 8; ++i)
            bits = (bits << 8) | m_reader.byte();
        m_stack.push(m_values.add(Kind::Float, std::bit_cast<int64_t>(bits)));
    }

    void pushLong(uint64_t length)
    {
        const std::string digits = readText(length);
        if (digits.size() > 8) {
            m_stack.push(m_values.add(Kind::BigInt, 0));
            return;
        }
        uint64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? ~uint64_t{0} : 0;
        for (size_t i = digits.size(); i-- > 0;)
            value = (value << 8) | static_cast<unsigned char>(digits[i]);
        m_stack.push(m_values.add(Kind::Int, std::bit_cast<int64_t>(value)));
    }

    /// Lengths are checked against the remaining bytes before memory is allocated.
    std::string readText(uint64_t length)
    {
        checkLength(length);
        std::string text;
        text.reserve(length);
        m_reader.appendTo(text, length);
        return text;
    }

    void checkLength(uint64_t length) const
    {
        if (length > uint64_t(m_reader.left()))
            m_values.refuse("its pickle claims a string of " + std::to_string(length)
                            + " bytes, more than the file has");
        if (length > uint64_t(m_values.limits().pickleStringBytes))
            m_values.refuse("its pickle contains a string of " + std::to_string(length)
                            + " bytes, over the limit of " + std::to_string(m_values.limits().pickleStringBytes));
    }

    bool text(uint8_t op)
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
        case BinBytes8:
        case ByteArray8: pushText(Kind::Bytes, m_reader.number(8)); return true;
        default: return false;
        }
        // clang-format on
    }

    void pushText(Kind kind, uint64_t length)
    {
        checkLength(length);
        m_values.chargeText(length);
        const size_t start = m_values.text().size();
        m_reader.appendTo(m_values.text(), length);
        m_stack.push(m_values.add(kind, int64_t(start), length));
    }

    // Containers

    bool container(uint8_t op)
    {
        // clang-format off
        switch (op) {
        case EmptyTuple: m_stack.push(m_values.addContainer(Kind::Tuple, {})); return true;
        case EmptyList: m_stack.push(m_values.addContainer(Kind::List, {})); return true;
        case EmptyDict: m_stack.push(m_values.addContainer(Kind::Dict, {})); return true;
        case EmptySet: m_stack.push(m_values.addContainer(Kind::Set, {})); return true;
        case TupleOp: m_stack.push(m_values.addContainer(Kind::Tuple, m_stack.popToMark())); return true;
        case ListOp: m_stack.push(m_values.addContainer(Kind::List, m_stack.popToMark())); return true;
        case FrozenSet: m_stack.push(m_values.addContainer(Kind::Set, m_stack.popToMark())); return true;
        case DictOp: makeDict(m_stack.popToMark()); return true;
        case Tuple1: m_stack.push(m_values.addContainer(Kind::Tuple, m_stack.popCount(1))); return true;
        case Tuple2: m_stack.push(m_values.addContainer(Kind::Tuple, m_stack.popCount(2))); return true;
        case Tuple3: m_stack.push(m_values.addContainer(Kind::Tuple, m_stack.popCount(3))); return true;
        case Append: extend(m_stack.popCount(1)); return true;
        case Appends:
        case AddItems: extend(m_stack.popToMark()); return true;
        case SetItem: setItems(m_stack.popCount(2)); return true;
        case SetItems: setItems(m_stack.popToMark()); return true;
        default: return false;
        }
        // clang-format on
    }

    void makeDict(const std::vector<PickleRef>& items)
    {
        m_stack.push(m_values.addContainer(Kind::Dict, {}));
        setItems(items);
    }

    void extend(const std::vector<PickleRef>& items)
    {
        const PickleRef target = m_stack.top();
        if (graph().is(target, Kind::Record))
            return;  // a subclass of list: its fields are kept, its elements are not
        if (!graph().is(target, Kind::List) && !graph().is(target, Kind::Set))
            m_values.refuse("its pickle appends to something that is not a list");
        m_values.insert(target, items);
    }

    void setItems(const std::vector<PickleRef>& items)
    {
        const PickleRef target = m_stack.top();
        if (!graph().is(target, Kind::Dict) && !graph().is(target, Kind::Record))
            m_values.refuse("its pickle sets items of something that is not a dictionary");
        if (items.size() % 2 != 0)
            m_values.refuse("its pickle sets an item without a value");
        m_values.insert(target, items);
    }

    // Memo and stack

    bool memo(uint8_t op)
    {
        // clang-format off
        switch (op) {
        case BinPut: m_stack.put(m_reader.number(1)); return true;
        case LongBinPut: m_stack.put(m_reader.number(4)); return true;
        case Memoize: m_stack.memoize(); return true;
        case BinGet: m_stack.get(m_reader.number(1)); return true;
        case LongBinGet: m_stack.get(m_reader.number(4)); return true;
        default: return false;
        }
        // clang-format on
    }

    bool stack(uint8_t op)
    {
        // clang-format off
        switch (op) {
        case Mark: m_stack.mark(); return true;
        case Pop: m_stack.popOrUnmark(); return true;
        case PopMark: m_stack.popToMark(); return true;
        case Dup: m_stack.duplicate(); return true;
        case Proto: checkProtocol(m_reader.byte()); return true;
        case Frame: checkFrame(m_reader.number(8)); return true;
        default: return false;
        }
        // clang-format on
    }

    void checkProtocol(int protocol) const
    {
        if (protocol < 2 || protocol > 5)
            m_values.refuse("its pickle is of protocol " + std::to_string(protocol)
                            + ", which is not between 2 and 5");
    }

    void checkFrame(uint64_t length) const
    {
        if (length > uint64_t(m_reader.left()))
            m_values.refuse("its pickle claims a frame larger than the file");
    }

    // Names, calls and objects

    bool object(uint8_t op)
    {
        // clang-format off
        switch (op) {
        case Global: m_stack.push(readGlobal()); return true;
        case StackGlobal: stackGlobal(); return true;
        case Reduce: reduce(); return true;
        case NewObj: newObject(m_stack.popCount(2)); return true;
        case NewObjEx: newObject(m_stack.popCount(3)); return true;
        case Build: build(); return true;
        case BinPersId: m_stack.push(m_calls.storage(m_stack.pop())); return true;
        case Inst: m_values.refuseCall(graph().text(readGlobal()));
        case Obj: refuseObj(m_stack.popToMark());
        default: return false;
        }
        // clang-format on
    }

    std::string readLine()
    {
        std::string line;
        for (char c = char(m_reader.byte()); c != '\n'; c = char(m_reader.byte())) {
            if (int64_t(line.size()) == longestGlobal)
                m_values.refuse("its pickle holds a name of more than " + std::to_string(longestGlobal)
                                + " bytes");
            line += c;
        }
        return line;
    }

    PickleRef readGlobal()
    {
        const std::string module = readLine();
        return m_values.addText(Kind::Global, module + "." + readLine());
    }

    void stackGlobal()
    {
        const auto names = m_stack.popCount(2);
        if (!graph().is(names[0], Kind::Text) || !graph().is(names[1], Kind::Text))
            m_values.refuse("its pickle names something by a value that is not text");
        const std::string global = std::string(graph().text(names[0])) + "." + std::string(graph().text(names[1]));
        if (int64_t(global.size()) > 2 * longestGlobal)
            m_values.refuse("its pickle holds a name of more than " + std::to_string(longestGlobal) + " bytes");
        m_stack.push(m_values.addText(Kind::Global, global));
    }

    [[noreturn]] void refuseObj(const std::vector<PickleRef>& items) const
    {
        if (!items.empty() && graph().is(items.front(), Kind::Global))
            m_values.refuseCall(graph().text(items.front()));
        m_values.refuse("its pickle creates an object from nothing");
    }

    void reduce()
    {
        const auto call = m_stack.popCount(2);
        m_stack.push(m_calls.result(call[0], call[1], bytesRead()));
    }

    void newObject(const std::vector<PickleRef>& parts) { m_stack.push(m_calls.object(parts[0], parts[1])); }

    void build()
    {
        const PickleRef state = m_stack.pop();
        m_calls.build(m_stack.top(), state);
    }

    const int64_t m_begin;
    PickleReader m_reader;
    PickleValues m_values;
    PickleCalls m_calls;
    PickleStack m_stack;
};

}

PickleGraph readPickle(const ByteSource& source, int64_t begin, int64_t end, const Limits& limits)
{
    return PickleMachine(source, begin, end, limits).run();
}

}

#include "core/archive/thrift_compact.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr int deepest = 16;
constexpr int64_t maxValues = 1'000'000;

/// Types of the protocol (thrift/doc/specs/thrift-compact-protocol.md). Parquet has no maps.
enum Type {
    Stop = 0,
    True = 1,
    False = 2,
    Byte = 3,
    Int16 = 4,
    Int32 = 5,
    Int64 = 6,
    Double = 7,
    Binary = 8,
    List = 9,
    Set = 10,
    Struct = 12
};

class Reader {
public:
    explicit Reader(std::span<const uint8_t> bytes)
        : m_rest(bytes)
    {}

    bool isGood() const { return m_good; }
    std::span<const uint8_t> rest() const { return m_rest; }

    ThriftValue readStruct(int depth)
    {
        ThriftValue value;
        int64_t id = 0;
        for (uint8_t head = byte(); m_good && head != Stop; head = byte()) {
            id = head >> 4 != 0 ? id + (head >> 4) : zigzag();
            const int type = head & 15;
            value.members.push_back(type == True || type == False ? ThriftValue{} : read(type, depth + 1));
            value.members.back().id = id;
            if (type == True)
                value.members.back().number = 1;
        }
        return value;
    }

private:
    ThriftValue read(int type, int depth)
    {
        ThriftValue value;
        if (depth > deepest || ++m_count > maxValues) {
            fail();
            return value;
        }
        if (type == True || type == False || type == Byte)
            value.number = byte();
        else if (type == Int16 || type == Int32 || type == Int64)
            value.number = zigzag();
        else if (type == Double)
            take(8);
        else if (type == Binary)
            value.text = take(varint());
        else if (type == List || type == Set)
            value = readList(depth);
        else if (type == Struct)
            value = readStruct(depth);
        else
            fail();
        return value;
    }

    ThriftValue readList(int depth)
    {
        ThriftValue list;
        const uint8_t head = byte();
        const uint64_t count = head >> 4 == 15 ? varint() : head >> 4;
        for (uint64_t i = 0; m_good && i < count; ++i)
            list.members.push_back(read(head & 15, depth + 1));
        return list;
    }

    void fail()
    {
        m_good = false;
        m_rest = {};
    }

    std::string_view take(uint64_t count)
    {
        if (count > m_rest.size()) {
            fail();
            return {};
        }
        const std::string_view taken(reinterpret_cast<const char*>(m_rest.data()), size_t(count));
        m_rest = m_rest.subspan(size_t(count));
        return taken;
    }

    uint8_t byte()
    {
        const std::string_view taken = take(1);
        return taken.empty() ? uint8_t(Stop) : uint8_t(taken.front());
    }

    uint64_t varint()
    {
        const auto number = readVarint(m_rest);
        if (!number)
            fail();
        return number.value_or(0);
    }

    int64_t zigzag()
    {
        const uint64_t number = varint();
        return int64_t(number >> 1) ^ -int64_t(number & 1);
    }

    std::span<const uint8_t> m_rest;
    int64_t m_count = 0;
    bool m_good = true;
};

}

const ThriftValue* ThriftValue::find(int64_t field) const
{
    const auto found = std::ranges::find(members, field, &ThriftValue::id);
    return found == members.end() ? nullptr : &*found;
}

const ThriftValue& ThriftValue::operator[](int64_t field) const
{
    static const ThriftValue none;
    const ThriftValue* const found = find(field);
    return found == nullptr ? none : *found;
}

std::optional<ThriftValue> readThrift(std::span<const uint8_t>& bytes)
{
    Reader reader(bytes);
    ThriftValue value = reader.readStruct(0);
    if (!reader.isGood())
        return std::nullopt;
    bytes = reader.rest();
    return value;
}

std::optional<uint64_t> readVarint(std::span<const uint8_t>& bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes.size() && i < 10; ++i) {
        number |= uint64_t(bytes[i] & 127) << (7 * i);
        if (bytes[i] < 128) {
            bytes = bytes.subspan(i + 1);
            return number;
        }
    }
    return std::nullopt;
}

}

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attnscope::onnx {

/// A protobuf message under construction: fields with varint, 32-bit and length-delimited values.
class Message {
public:
    /// An integer, an enumeration or a bool.
    void number(int field, int64_t value)
    {
        varint(tag(field, 0));
        varint(uint64_t(value));
    }
    void real(int field, float value)
    {
        varint(tag(field, 5));
        const auto bits = std::bit_cast<uint32_t>(value);
        for (int shift = 0; shift < 32; shift += 8)
            m_bytes.push_back(char(bits >> shift & 0xff));
    }
    /// A string, bytes, or a message.
    void text(int field, std::string_view value)
    {
        begin(field, value.size());
        m_bytes.append(value);
    }
    void part(int field, const Message& message) { text(field, message.m_bytes); }
    /// Several integers in one field.
    void packed(int field, std::span<const int64_t> values)
    {
        Message all;
        for (const int64_t value : values)
            all.varint(uint64_t(value));
        part(field, all);
    }
    /// The key of a length-delimited field whose `size` bytes the caller writes after those of this message.
    void begin(int field, uint64_t size)
    {
        varint(tag(field, 2));
        varint(size);
    }

    const std::string& bytes() const { return m_bytes; }

private:
    static uint64_t tag(int field, int type) { return uint64_t(field) << 3 | uint64_t(type); }

    void varint(uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            m_bytes.push_back(char((value & 0x7f) | 0x80));
        m_bytes.push_back(char(value));
    }

    std::string m_bytes;
};

}

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Of libFuzzer: mutates in place and returns the new size.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);

/// What custom mutators share: changes that keep an input parseable far enough to reach the code behind its first checks.
namespace attnscope::fuzz {

class Mutator {
public:
    explicit Mutator(unsigned seed)
        : m_random(seed)
    {}

    size_t below(size_t count) { return count == 0 ? 0 : m_random() % count; }
    bool oneIn(size_t count) { return below(count) == 0; }

    template <typename T>
    const T& oneOf(const std::vector<T>& values)
    {
        return values[below(values.size())];
    }
    std::string oneOf(std::initializer_list<std::string_view> values)
    {
        return std::string(values.begin()[below(values.size())]);
    }

    /// libFuzzer's own mutations, with room for `growth` more bytes.
    void bytes(std::string& text, size_t growth = 16)
    {
        const size_t size = text.size();
        text.resize(size + growth);
        text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(text.data()), size, text.size()));
    }

    /// Takes the first byte off, which chooses one of a target's readers, and now and then returns another.
    std::string takeReader(std::string& text)
    {
        std::string reader = text.substr(0, 1);
        text.erase(0, 1);
        if (reader.empty() || oneIn(16))
            reader = char(below(256));
        return reader;
    }

    /// Numbers at which sizes and offsets go wrong.
    uint64_t number()
    {
        constexpr uint64_t edges[] = {0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      7,
                                      8,
                                      16,
                                      255,
                                      256,
                                      65'535,
                                      65'536,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x100000000,
                                      1ull << 61,
                                      1ull << 62,
                                      0x7fffffffffffffff,
                                      1ull << 63,
                                      ~0ull - 1,
                                      ~0ull};
        return oneIn(3) ? below(64) : edges[below(std::size(edges))] + (oneIn(4) ? below(5) - 2 : 0);
    }

private:
    std::minstd_rand m_random;
};

inline std::string littleEndian(uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += i < 8 ? char(value >> (8 * i)) : '\0';
    return text;
}

inline uint64_t numberAt(std::string_view text, size_t at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0 && at + size_t(i) < text.size();)
        value = (value << 8) | static_cast<unsigned char>(text[at + size_t(i)]);
    return value;
}

/// Back into libFuzzer's buffer; an input that outgrew it is left as it was.
inline size_t store(const std::string& text, uint8_t* data, size_t size, size_t maxSize)
{
    if (text.size() > maxSize)
        return size;
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

}

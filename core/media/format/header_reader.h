#pragma once

#include "core/base/limits.h"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

bool hasText(std::span<const uint8_t> bytes, size_t at, std::string_view text);

/// Bounds-checked access to the bytes of an image file. Reading beyond the end throws FileError "is truncated".
class HeaderReader {
public:
    HeaderReader(std::span<const uint8_t> bytes, std::string name, const Limits& limits);

    int64_t size() const { return int64_t(m_bytes.size()); }
    /// True if [at, at + count) is within the file; never overflows.
    bool has(int64_t at, int64_t count) const;
    bool hasText(int64_t at, std::string_view text) const
    {
        return at >= 0 && attnscope::hasText(m_bytes, size_t(at), text);
    }
    std::span<const uint8_t> part(int64_t at, int64_t count) const;

    uint8_t byte(int64_t at) const { return part(at, 1)[0]; }
    uint32_t big16(int64_t at) const { return number(at, 2, std::endian::big); }
    uint32_t big32(int64_t at) const { return number(at, 4, std::endian::big); }
    uint32_t little16(int64_t at) const { return number(at, 2, std::endian::little); }
    uint32_t little24(int64_t at) const { return number(at, 3, std::endian::little); }
    uint32_t little32(int64_t at) const { return number(at, 4, std::endian::little); }

    /// Throws unless an image of this size is within the limits. To be called as soon as the size is known.
    void checkSize(int64_t width, int64_t height) const;
    /// Throws "is truncated" unless [at, at + count) is within the file.
    void require(int64_t at, int64_t count) const;
    [[noreturn]] void fail(std::string_view problem, std::string_view remedy) const;
    /// For contradictory contents, described by `what`.
    [[noreturn]] void damaged(std::string_view what) const;
    [[noreturn]] void breaksOff() const;

private:
    uint32_t number(int64_t at, int count, std::endian order) const;

    std::span<const uint8_t> m_bytes;
    std::string m_name;
    Limits m_limits;
};

}

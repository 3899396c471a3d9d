#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace attnscope {

/// Up to `count` bytes from the beginning of a regular file, to recognise its kind. Empty if it is not a regular file, can't be read or has
/// size 0, like the kernel's files under /proc: reading one of those can block or consume it.
std::vector<uint8_t> firstBytes(const std::filesystem::path& path, size_t count);

/// The unsigned number that up to eight bytes of a file stand for.
template <typename Byte>
constexpr uint64_t integerOf(std::span<const Byte> bytes, std::endian order)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
        value = value << 8 | uint64_t(bytes[order == std::endian::big ? i : bytes.size() - 1 - i]);
    return value;
}

}

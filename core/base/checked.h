#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace attnscope {

/// Arithmetic on sizes read from files: empty on overflow or for a negative operand.
inline std::optional<std::int64_t> checkedMultiply(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result))
        return std::nullopt;
    return result;
}

inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &result))
        return std::nullopt;
    return result;
}

/// The number of elements of a shape; 1 for rank 0.
inline std::optional<std::int64_t> checkedProduct(std::span<const std::int64_t> sizes)
{
    std::optional<std::int64_t> product = 1;
    for (const std::int64_t size : sizes) {
        product = checkedMultiply(*product, size);
        if (!product)
            return std::nullopt;
    }
    return product;
}

}

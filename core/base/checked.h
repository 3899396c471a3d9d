#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace attnscope {

/// Arithmetic on sizes read from files: empty on overflow or for a negative operand.
inline std::optional<int64_t> checkedMultiply(int64_t a, int64_t b)
{
    int64_t result = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result))
        return std::nullopt;
    return result;
}

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b)
{
    int64_t result = 0;
    if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &result))
        return std::nullopt;
    return result;
}

/// The number of elements of a shape; 1 for rank 0.
inline std::optional<int64_t> checkedProduct(std::span<const int64_t> sizes)
{
    std::optional<int64_t> product = 1;
    for (const int64_t size : sizes) {
        product = checkedMultiply(*product, size);
        if (!product)
            return std::nullopt;
    }
    return product;
}

}

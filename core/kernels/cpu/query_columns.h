#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cpu/simd.h"

#include <utility>

namespace attnscope::kernels::ATTNSCOPE_ISA {

template <int... lane>
using Lanes = std::integer_sequence<int, lane...>;
using AllLanes = std::make_integer_sequence<int, lanes>;

/// Rows a and b, `distance` apart, exchange their lanes across the diagonal.
template <int distance, int... lane>
ATTNSCOPE_INLINE void exchange(Floats& a, Floats& b, Lanes<lane...>)
{
    const Floats upper = __builtin_shufflevector(a, b,
                                                 ((lane & distance) == 0 ? lane : lanes + lane - distance)...);
    b = __builtin_shufflevector(a, b, ((lane & distance) == 0 ? lane + distance : lanes + lane)...);
    a = upper;
}

/// Transposes a square of `lanes` rows block by block (Eklundh, 1972).
template <int distance>
ATTNSCOPE_INLINE void transpose(Floats (&rows)[lanes])
{
    if constexpr (distance < lanes) {
        for (int i = 0; i < lanes; ++i)
            if ((i & distance) == 0)
                exchange<distance>(rows[i], rows[i + distance], AllLanes());
        transpose<2 * distance>(rows);
    }
}

/// Rows of `width` 32-bit words, those of `index` unless it is null → `width` rows of columns, each transformed by `change`; the rest of
/// the last vector is zero.
template <typename Change>
inline void packColumns(Rows rows, const int32_t* index, int64_t count, int64_t width, OutputRows columns,
                        Change change)
{
    const Floats zero = broadcast(0);
    const auto row = [&](int64_t n) { return rows.data + (index == nullptr ? n : index[n]) * rows.stride; };
    for (int64_t n = 0; n < count; n += lanes) {
        int64_t d = 0;
        for (; d + lanes <= width; d += lanes) {
            Floats square[lanes];
            for (int i = 0; i < lanes; ++i)
                square[i] = n + i < count ? change(load(row(n + i) + d)) : zero;
            transpose<1>(square);
            for (int i = 0; i < lanes; ++i)
                store(columns.data + (d + i) * columns.stride + n, square[i]);
        }
        for (; d < width; ++d)
            for (int i = 0; i < lanes; ++i)
                columns.data[d * columns.stride + n + i] = n + i < count ? change(broadcast(row(n + i)[d]))[0]
                                                                         : 0.0f;
    }
}

inline void packQueries(const PackQueries& task)
{
    packColumns(task.queries, task.index, task.count, task.width, {task.columns, queryBlock},
                [](Floats x) { return x; });
}

}

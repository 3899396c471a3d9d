#pragma once

#include "core/attention/backend_info.h"
#include "core/attention/sparse/key_pattern.h"

#include <algorithm>
#include <cstdint>

namespace attnscope {

/// Softmax over a window that slides with the query, |Δrow| ≤ w·d and |Δcolumn| ≤ w·d, both multiples of the
/// dilation d; and over global tokens, spread evenly, which see all and are seen by all, as prefix tokens
/// are. Source: Beltagy et al., arXiv 2004.05150, section 3.1; on a grid: Zhang et al., ICCV 2021.
/// N·(2w+1)²·(D+Dv) multiply-adds a head; a window beyond the grid is softmax.
BackendInfo longformerInfo();

/// A window that slides with the query.
struct SlidingWindow {
    int64_t radius = 0, dilation = 1;
    bool onGrid = true;  ///< false: on the row-major line

    /// The places that a place sees, in ascending order; for each run of them, add(first, end).
    template <typename Add>
    void forEachRun(const SparsePlaces& places, int64_t place, const Add& add) const
    {
        const bool grid = onGrid && !places.isLine();
        const int64_t width = grid ? places.columns() : places.length(), height = grid ? places.rows() : 1;
        const auto first = [&](int64_t at) { return at - std::min(radius, at / dilation) * dilation; };
        const auto last = [&](int64_t at, int64_t end) {
            return at + std::min(radius, (end - 1 - at) / dilation) * dilation;
        };
        const int64_t row = place / width, column = place % width;
        for (int64_t r = first(row); r <= last(row, height); r += dilation) {
            if (dilation == 1) {
                add(r * width + first(column), r * width + last(column, width) + 1);
                continue;
            }
            for (int64_t c = first(column); c <= last(column, width); c += dilation)
                add(r * width + c, r * width + c + 1);
        }
    }
};

}

#pragma once

#include "core/kernels/cpu/query_columns.h"
#include "core/kernels/cpu/softmax_bfloat16.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Which queries see each key of a tile, from query `first` of the block on.
struct SomeKeys {
    const uint64_t* seenBy;
    int64_t first;

    ATTNSCOPE_INLINE Floats seen(int64_t j, Floats x) const { return select(seenBy[j] >> first, x, broadcast(0)); }
};

/// softenTile of queries [begin, end) with the bias and the keys of a tile; 0 for keys that a query does not see.
template <bool some, bool biased>
inline bool softenSparse(float* scores, const SparseTile& tile, int64_t begin, int64_t end, float factor,
                         const ColumnState& state)
{
    bool rose = false;
    for (int64_t n = begin; n < end; n += lanes) {
        float* const column = scores + n;
        if constexpr (some || biased)
            for (int64_t j = 0; j < tile.count; ++j) {
                Floats x = load(column + j * queryBlock) * broadcast(factor);
                if constexpr (biased)
                    x = fma(load(tile.bias + j * queryBlock + n), broadcast(log2e), x);
                if constexpr (some)
                    x = select(tile.seenBy[j] >> n, x, broadcast(paddedLogit));
                store(column + j * queryBlock, x);
            }
        if constexpr (some)
            rose = softenColumn(column, tile.count, broadcast(1), SomeKeys{tile.seenBy, n}, state, n) || rose;
        else
            rose = softenColumn(column, tile.count, broadcast(biased ? 1.0f : factor), EveryKey(), state, n)
                   || rose;
    }
    return rose;
}

inline bool softenSparse(float* scores, const SparseTile& tile, int64_t begin, int64_t end, float factor,
                         const ColumnState& state)
{
    if (tile.bias != nullptr)
        return tile.seenBy != nullptr ? softenSparse<true, true>(scores, tile, begin, end, factor, state)
                                      : softenSparse<false, true>(scores, tile, begin, end, factor, state);
    return tile.seenBy != nullptr ? softenSparse<true, false>(scores, tile, begin, end, factor, state)
                                  : softenSparse<false, false>(scores, tile, begin, end, factor, state);
}

/// Whether the rows of a tile's keys can be read in place.
ATTNSCOPE_INLINE bool followOneAnother(const SparseTile& tile)
{
    return tile.keys[tile.count - 1] - tile.keys[0] == tile.count - 1;
}

/// The rows of a tile's keys, in place or copied.
inline Rows rowsOfTile(Rows rows, const SparseTile& tile, int64_t width, float* copy)
{
    if (followOneAnother(tile))
        return {rows.data + tile.keys[0] * rows.stride, rows.stride};
    for (int64_t j = 0; j < tile.count; ++j) {
        const float* const from = rows.data + tile.keys[j] * rows.stride;
        float* const to = copy + j * width;
        int64_t d = 0;
        for (; d + lanes <= width; d += lanes)
            store(to + d, load(from + d));
        for (; d < width; ++d)
            to[d] = from[d];
    }
    return {copy, width};
}

/// Has scattered rows brought into the cache while the tile before is computed: the processor does not foresee them.
inline void prefetchTile(Rows rows, const SparseTile& tile, int64_t width)
{
    constexpr int64_t line = 16;  // numbers of a cache line
    if (followOneAnother(tile))
        return;
    for (int64_t j = 0; j < tile.count; ++j)
        for (int64_t d = 0; d < width; d += line)
            __builtin_prefetch(rows.data + tile.keys[j] * rows.stride + d, 0, 2);
}

/// The running state and output of a block of queries, in units of 2^maximum.
struct SparseState {
    ColumnState columns;
    float* output;  ///< `rows` rows of `padded`
    int64_t padded;

    void begin(const SparseRows& task) const
    {
        fill(output, task.rows * padded, 0);
        for (int64_t n = 0; n < task.rows && !task.begins; ++n) {
            const float* const state = task.state + 2 * task.index[n];
            columns.maxima[n] = state[0], columns.sums[n] = state[1];
            std::memcpy(output + n * padded, task.carried.data + task.index[n] * task.carried.stride,
                        size_t(task.valueDim) * sizeof(float));
        }
    }

    void carry(const SparseRows& task) const
    {
        for (int64_t n = 0; n < task.rows; ++n) {
            float* const state = task.state + 2 * task.index[n];
            state[0] = columns.maxima[n], state[1] = columns.sums[n];
            std::memcpy(task.carried.data + task.index[n] * task.carried.stride, output + n * padded,
                        size_t(task.valueDim) * sizeof(float));
        }
    }

    template <typename Step>
    void write(const SparseRows& task) const
    {
        for (int64_t n = 0; n < task.rows; ++n) {
            const float factor = columns.sums[n] == 0 ? 0 : 1 / columns.sums[n];
            const float* const in = output + n * padded;
            float* const to = task.out.data + task.index[n] * task.out.stride;
            int64_t d = 0;
            for (; d + lanes <= task.valueDim; d += lanes)
                if constexpr (Step::packed == 2)
                    storeBfloat16(to + d / 2, load(in + d) * broadcast(factor));
                else
                    store(to + d, load(in + d) * broadcast(factor));
            for (; d < task.valueDim; ++d)
                to[d] = in[d] * factor;
        }
    }
};

/// Whole vectors of a block's queries: [begin, end).
struct QueryRange {
    int64_t begin, end;
};

/// Those that see any key of a tile.
inline QueryRange queriesOfTile(const SparseTile& tile, int64_t queries)
{
    if (tile.seenBy == nullptr)
        return {0, queries};
    uint64_t seen = 0;
    for (int64_t j = 0; j < tile.count; ++j)
        seen |= tile.seenBy[j];
    constexpr uint64_t vector = (1u << lanes) - 1;
    QueryRange range{0, queries};
    while (range.begin < range.end && (seen >> range.begin & vector) == 0)
        range.begin += lanes;
    while (range.begin < range.end && (seen >> (range.end - lanes) & vector) == 0)
        range.end -= lanes;
    return range;
}

/// softmaxRows over the tiles that the block sees.
template <typename Step>
inline void sparseRows(const SparseRows& task)
{
    const int64_t padded = (task.valueDim + lanes - 1) / lanes * lanes;
    float* const columns = task.scratch;
    float* const scores = columns + queryBlock * task.width;
    float* const keyRows = scores + keyTile * queryBlock;
    float* const valueRows = keyRows + keyTile * task.width;
    float* const copy = valueRows + keyTile * padded;
    const SparseState state{ColumnState(copy + keyTile * padded), copy + keyTile * padded + 3 * queryBlock,
                            padded};
    if (task.tileCount > 0) {
        prefetchTile(task.keys, task.tiles[0], task.width);
        prefetchTile(task.values, task.tiles[0], task.valueDim / Step::packed);
    }
    packColumns(task.queries, task.index, task.rows, task.width, {columns, queryBlock},
                [](Floats x) { return x; });
    state.begin(task);
    for (int64_t t = 0; t < task.tileCount; ++t) {
        const SparseTile& tile = task.tiles[t];
        if (t + 1 < task.tileCount) {
            prefetchTile(task.keys, task.tiles[t + 1], task.width);
            prefetchTile(task.values, task.tiles[t + 1], task.valueDim / Step::packed);
        }
        const auto [begin, end] = queriesOfTile(tile, paddedQueries(task.rows));
        if (begin == end)
            continue;
        const Rows keys = rowsOfTile(task.keys, tile, task.width, keyRows);
        multiply<Into::Store, Step>({keys.data, keys.stride, 1}, {columns + begin, queryBlock},
                                    {scores + begin, queryBlock}, tile.count, end - begin, task.width);
        const bool rose = softenSparse(scores, tile, begin, end, task.factor * log2e, state.columns);
        const Rows values = rowsOfTile(task.values, tile, task.valueDim / Step::packed, valueRows);
        const int64_t rows = min(end, task.rows) - begin;
        const Product output{state.output + begin * padded, padded};
        if (rose)
            correctRows(output.data, rows, padded, state.columns.factors + begin);
        if constexpr (Step::packed == 2) {
            pairWeights(scores + begin, tile.count, end - begin);
            pairValues(values, tile.count, padded, copy, (tile.count + 1) / 2);
            multiply<Into::Add, Step>({scores + begin, 1, queryBlock}, {copy, padded}, output, rows, padded,
                                      (tile.count + 1) / 2);
        } else {
            const Right right = paddedRows(values, tile.count, task.valueDim, padded, copy);
            multiply<Into::Add>({scores + begin, 1, queryBlock}, right, output, rows, padded, tile.count);
        }
    }
    task.ends ? state.template write<Step>(task) : state.carry(task);
}

}

#pragma once

#include "core/kernels/cpu/feature_rows.h"
#include "core/kernels/cpu/query_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

inline void centredSquares(Rows keys, int64_t count, int64_t width, const float* mean, float* out)
{
    for (int64_t m = 0; m < count; ++m) {
        const float* const key = keys.data + m * keys.stride;
        Floats sum = broadcast(0);
        int64_t d = 0;
        for (; d + lanes <= width; d += lanes) {
            const Floats x = load(key + d) - load(mean + d);
            sum = fma(x, x, sum);
        }
        float rest = total(sum);
        for (; d < width; ++d)
            rest += (key[d] - mean[d]) * (key[d] - mean[d]);
        out[m] = rest;
    }
}

inline void rangeOfColumns(Rows x, int64_t count, int64_t width, float* low, float* high)
{
    int64_t d = 0;
    for (; d + lanes <= width; d += lanes) {
        Floats lowest = load(x.data + d), highest = lowest;
        for (int64_t m = 1; m < count; ++m) {
            const Floats one = load(x.data + m * x.stride + d);
            lowest = min(one, lowest), highest = max(one, highest);
        }
        store(low + d, lowest), store(high + d, highest);
    }
    for (; d < width; ++d) {
        low[d] = high[d] = x.data[d];
        for (int64_t m = 1; m < count; ++m) {
            const float one = x.data[m * x.stride + d];
            low[d] = one < low[d] ? one : low[d];
            high[d] = one > high[d] ? one : high[d];
        }
    }
}

/// What the choice of a coreset works on, in a task's scratch memory. Keys and the columns of the factor are stored tile by tile, a row of
/// coresetTile numbers for each channel and each column: every step reads both from beginning to end, once.
struct CoresetTiles {
    int64_t count, width, samples, tiles;
    float* keys;       ///< `tiles` times `width` rows of coresetTile: centred
    float* factor;     ///< `tiles` times `samples` rows of coresetTile
    float* residual;   ///< of each key: how much of h(k,k) = 1 the keys so far do not explain
    float* weight;     ///< of each key: its probability is residual · weight / Σ; 0 in the padding
    float* mass;       ///< of each key; 0 in the padding
    float* sums;       ///< of each tile: Σ residual · weight
    float* largestOf;  ///< of each tile: the largest residual · weight
    float* pivot;      ///< `width` numbers: the key that is chosen
    float* row;        ///< `samples` numbers: its row of the factor
    float* triangle;   ///< `samples` rows: those of all chosen keys, a lower triangle
    float* values;     ///< coresetTile rows of padded values

    explicit CoresetTiles(const ChooseCoreset& task)
        : count(task.count)
        , width(task.width)
        , samples(task.samples)
        , tiles((task.count + coresetTile - 1) / coresetTile)
        , keys(task.scratch)
        , factor(keys + tiles * width * coresetTile)
        , residual(factor + tiles * samples * coresetTile)
        , weight(residual + tiles * coresetTile)
        , mass(weight + tiles * coresetTile)
        , sums(mass + tiles * coresetTile)
        , largestOf(sums + tiles)
        , pivot(largestOf + tiles)
        , row(pivot + width)
        , triangle(row + samples)
        , values(triangle + samples * samples)
    {}

    /// Number i of key m, in rows of which each tile has `rows`.
    ATTNSCOPE_INLINE static float* at(float* tilesOf, int64_t rows, int64_t m, int64_t i)
    {
        return tilesOf + (m / coresetTile * rows + i) * coresetTile + m % coresetTile;
    }
};

/// Keys as tiles, minus their mean.
inline void packCoresetKeys(const ChooseCoreset& task, const CoresetTiles& all)
{
    for (int64_t t = 0; t < all.tiles; ++t) {
        const int64_t begin = t * coresetTile, rows = min(coresetTile, all.count - begin);
        float* const tile = all.keys + begin * all.width;
        packColumns({task.keys.data + begin * task.keys.stride, task.keys.stride}, nullptr, rows, all.width,
                    {tile, coresetTile}, [](Floats x) { return x; });
        for (int64_t d = 0; d < all.width; ++d) {
            const float mean = task.mean[d];
            float* const channel = tile + d * coresetTile;
            for (int64_t m = 0; m < rows; ++m)
                channel[m] -= mean;
            for (int64_t m = rows; m < coresetTile; ++m)
                channel[m] = 0;
        }
    }
}

/// Weights exp(2·factor ‖k‖² + 2w), relative to the largest, and masses; residuals start at 1.
inline void weighCoresetKeys(const ChooseCoreset& task, const CoresetTiles& all)
{
    float highest = paddedLogit;
    for (int64_t m = 0; m < all.tiles * coresetTile; ++m) {
        const bool present = m < all.count;
        const float log = present ? task.factor * task.squares[m]
                                        + (task.logWeights == nullptr ? 0 : task.logWeights[m])
                                  : paddedLogit;
        all.mass[m] = log;
        highest = log > highest ? log : highest;
        all.residual[m] = present ? 1.0f : 0.0f;
    }
    for (int64_t m = 0; m < all.tiles * coresetTile; m += lanes) {
        const Floats log = load(all.mass + m), zero = broadcast(0);
        const auto present = [&](Floats power, Floats exponent) {
            return exponent > broadcast(-87.0f) ? power : zero;
        };
        const Floats weight = (log - broadcast(highest)) * broadcast(2.0f), mass = log - broadcast(task.top);
        store(all.weight + m, present(exponential(weight), weight));
        store(all.mass + m, present(exponential(mass), mass));
    }
}

/// The sum and the largest of residual · weight of one tile.
ATTNSCOPE_INLINE void sumCoresetTile(const CoresetTiles& all, int64_t t)
{
    Floats sum = broadcast(0), highest = sum;
    for (int64_t m = t * coresetTile; m < (t + 1) * coresetTile; m += lanes) {
        const Floats x = load(all.residual + m) * load(all.weight + m);
        sum = sum + x, highest = max(x, highest);
    }
    all.sums[t] = total(sum), all.largestOf[t] = largest(highest);
}

/// The next pivot by its uniform number, or the most probable if there is none; the largest residual where that has nothing left.
inline int64_t nextPivot(const ChooseCoreset& task, const CoresetTiles& all, int64_t step)
{
    int64_t found = -1;
    const auto probability = [&](int64_t m) { return all.residual[m] * all.weight[m]; };
    if (task.uniform == nullptr) {
        int64_t best = 0;
        for (int64_t t = 1; t < all.tiles; ++t)
            best = all.largestOf[t] > all.largestOf[best] ? t : best;
        found = best * coresetTile;
        for (int64_t m = found; m < min((best + 1) * coresetTile, all.count); ++m)
            found = probability(m) > probability(found) ? m : found;
    } else {
        double whole = 0, sum = 0;
        for (int64_t t = 0; t < all.tiles; ++t)
            whole += double(all.sums[t]);
        const double target = double(task.uniform[step]) * whole;
        for (int64_t t = 0; t < all.tiles && found < 0; ++t) {
            if (sum + double(all.sums[t]) <= target) {
                sum += double(all.sums[t]);
                continue;
            }
            for (int64_t m = t * coresetTile; m < min((t + 1) * coresetTile, all.count) && found < 0; ++m) {
                sum += double(probability(m));
                found = sum > target ? m : -1;
            }
        }
        found = found < 0 ? all.count - 1 : found;
    }
    if (all.residual[found] >= task.stop)
        return found;
    for (int64_t m = 0; m < all.count; ++m)
        found = all.residual[m] > all.residual[found] ? m : found;
    return found;
}

/// `vectors` vectors of keys of a tile: their numbers in the next column of the factor, and what that leaves of their residuals.
template <int vectors>
ATTNSCOPE_INLINE Floats stepCoresetTile(const ChooseCoreset& task, const CoresetTiles& all, int64_t t,
                                        int64_t first, int64_t step, Floats inverse, Floats highest)
{
    Floats square[vectors], known[vectors];
    for (int v = 0; v < vectors; ++v)
        square[v] = known[v] = broadcast(0);
    const float* const keys = all.keys + t * all.width * coresetTile + first;
    for (int64_t d = 0; d < all.width; ++d) {
        const Floats pivot = broadcast(all.pivot[d]);
        for (int v = 0; v < vectors; ++v) {
            const Floats x = load(keys + d * coresetTile + v * lanes) - pivot;
            square[v] = fma(x, x, square[v]);
        }
    }
    float* const factor = all.factor + t * all.samples * coresetTile + first;
    for (int64_t j = 0; j < step; ++j) {
        const Floats own = broadcast(all.row[j]);
        for (int v = 0; v < vectors; ++v)
            known[v] = fma(load(factor + j * coresetTile + v * lanes), own, known[v]);
    }
    for (int v = 0; v < vectors; ++v) {
        const Floats x = (exponential(broadcast(-task.factor) * square[v]) - known[v]) * inverse;
        store(factor + step * coresetTile + v * lanes, x);
        float* const at = all.residual + t * coresetTile + first + v * lanes;
        const Floats left = max(load(at) - x * x, broadcast(0));
        store(at, left);
        highest = max(left, highest);
    }
    return highest;
}

/// Chooses keys, one step after the other: a step is one pass over the tiles. Returns how many it chose.
inline int64_t pivotCoreset(const ChooseCoreset& task, const CoresetTiles& all)
{
    constexpr int vectors = 4;
    for (int64_t t = 0; t < all.tiles; ++t)
        sumCoresetTile(all, t);
    for (int64_t step = 0; step < all.samples; ++step) {
        const int64_t pivot = nextPivot(task, all, step);
        if (step > 0 && all.residual[pivot] < task.stop)
            return step;
        task.chosen[step] = int32_t(pivot);
        for (int64_t d = 0; d < all.width; ++d)
            all.pivot[d] = *CoresetTiles::at(all.keys, all.width, pivot, d);
        double known = 0;
        float* const triangle = all.triangle + step * all.samples;
        for (int64_t j = 0; j < step; ++j) {
            const float x = *CoresetTiles::at(all.factor, all.samples, pivot, j);
            all.row[j] = triangle[j] = x;
            known += double(x) * double(x);
        }
        const auto left = float(1 - known);
        const Floats root = squareRoot(broadcast(left > task.stop ? left : task.stop));
        triangle[step] = root[0];
        Floats highest = broadcast(0);
        for (int64_t n = 0; n < all.tiles; ++n) {
            const int64_t t = step % 2 == 0
                                  ? n
                                  : all.tiles - 1
                                        - n;  // to and fro: a step begins with what the last has left in the cache
            for (int64_t first = 0; first < coresetTile; first += vectors * lanes)
                highest = stepCoresetTile<vectors>(task, all, t, first, step, broadcast(1.0f) / root, highest);
            if (pivot / coresetTile == t)
                all.residual[pivot] = 0;
            sumCoresetTile(all, t);
        }
        if (largest(highest) < task.stop)
            return step + 1;
    }
    return all.samples;
}

/// Fᵀ diag(u) (v − middle) and Fᵀ u, F being the factor and u the masses.
inline void sumCoresetValues(const ChooseCoreset& task, const CoresetTiles& all, int64_t chosen, int64_t padded)
{
    fill(task.sums, chosen * padded, 0);
    fill(task.masses, chosen, 0);
    for (int64_t t = 0; t < all.tiles; ++t) {
        const int64_t begin = t * coresetTile, rows = min(coresetTile, all.count - begin);
        const float* const factor = all.factor + t * all.samples * coresetTile;
        for (int64_t m = 0; m < rows; ++m) {
            const float* const value = task.values.data + (begin + m) * task.values.stride;
            float* const copy = all.values + m * padded;
            const float mass = all.mass[begin + m];
            int64_t d = 0;
            for (; d + lanes <= task.valueDim; d += lanes)
                store(copy + d, (load(value + d) - load(task.middle + d)) * broadcast(mass));
            for (; d < padded; ++d)
                copy[d] = d < task.valueDim ? (value[d] - task.middle[d]) * mass : 0;
        }
        multiply<Into::Add>({factor, coresetTile, 1}, {all.values, padded}, {task.sums, padded}, chosen, padded,
                            rows);
        for (int64_t j = 0; j < chosen; ++j)
            task.masses[j] += innerProduct(factor + j * coresetTile, all.mass + begin, coresetTile);
    }
}

/// Both times the inverse of F_Sᵀ, which makes H_SS⁻¹ H_S of Fᵀ: from the last row up.
inline void solveCoreset(const ChooseCoreset& task, const CoresetTiles& all, int64_t chosen, int64_t padded)
{
    for (int64_t j = chosen - 1; j >= 0; --j) {
        const float* const triangle = all.triangle + j * all.samples;
        const float inverse = 1 / triangle[j];
        float* const solved = task.sums + j * padded;
        task.masses[j] *= inverse;
        for (int64_t d = 0; d < padded; d += lanes)
            store(solved + d, load(solved + d) * broadcast(inverse));
        for (int64_t i = 0; i < j; ++i) {
            const Floats own = broadcast(-triangle[i]);
            task.masses[i] -= triangle[i] * task.masses[j];
            float* const above = task.sums + i * padded;
            for (int64_t d = 0; d < padded; d += lanes)
                store(above + d, fma(load(solved + d), own, load(above + d)));
        }
    }
}

inline int64_t chooseCoreset(const ChooseCoreset& task)
{
    const CoresetTiles all(task);
    const int64_t padded = (task.valueDim + lanes - 1) / lanes * lanes;
    packCoresetKeys(task, all);
    weighCoresetKeys(task, all);
    const int64_t chosen = pivotCoreset(task, all);
    for (int64_t r = 0; r < chosen; ++r) {
        task.bias[r] = -task.factor * task.squares[task.chosen[r]];
        for (int64_t d = 0; d < all.width; ++d)
            task.chosenKeys[r * all.width + d] = *CoresetTiles::at(all.keys, all.width, task.chosen[r], d);
    }
    sumCoresetValues(task, all, chosen, padded);
    solveCoreset(task, all, chosen, padded);
    return chosen;
}

}

#pragma once

#include "core/kernels/cuda/balance.cuh"
#include "core/kernels/cuda/draw_keys.cuh"
#include "core/kernels/cuda/merge.cuh"

/// Chooses the kernel of a task and its grid; the Starter launches it: launch(kernel, blocks, chunks, threads, shared, arguments…).
/// sharedLimit() is the shared memory available to a block, busyWarps() how many keep the device busy. On the device that is
/// device_starter.cuh, in tests an emulation.
namespace attnscope::kernels::cuda {

struct Grid {
    int64_t blocks = 1, chunks = 1;
    int threads = lanesOfWarp;
    int64_t shared = 0;  ///< bytes
};

/// One warp for every 16 rows, at most 64 rows per block.
inline int threadsFor(int64_t rows)
{
    return lanesOfWarp * (rows <= 16 ? 1 : rows <= 32 ? 2 : 4);
}

inline int64_t blocksFor(int64_t rows, int64_t matrices, int threads)
{
    const int64_t perBlock = threads / lanesOfWarp * 16;
    return (rows + perBlock - 1) / perBlock * matrices;
}

/// Gives blocks as many rows as fit into the device's shared memory; `sharedFor` returns the bytes for a number of rows.
template <typename Starter, typename SharedFor>
Grid gridFor(int64_t rows, int64_t matrices, const Starter& starter, const SharedFor& sharedFor)
{
    int threads = threadsFor(rows);
    while (threads > lanesOfWarp && sharedFor(threads / 2) > starter.sharedLimit())
        threads /= 2;
    return {blocksFor(rows, matrices, threads), 1, threads, sharedFor(threads / 2)};
}

/// Warps that keep a GPU busy: twelve on each of an H200's 132 multiprocessors. Not the device's own number, so that sums are the same on
/// every device.
constexpr int64_t enoughWarps = 132 * 12;

/// If queries are too few to fill a GPU (features that sum over keys), the keys are split into chunks, large enough to justify a block.
inline int64_t chunksFor(const FusedAttention& task)
{
    constexpr int64_t minKeys = 2 * keyTile, max = 64;
    if (task.weights != Weights::Softmax && task.weights != Weights::FourierKeys)
        return 1;
    const int threads = threadsFor(task.queryCount);
    int64_t chunks = enoughWarps
                     / (blocksFor(task.queryCount, task.counts.matrices(), threads) * (threads / lanesOfWarp));
    chunks = chunks < task.keyCount / minKeys ? chunks : task.keyCount / minKeys;
    return chunks < 1 ? 1 : chunks > max ? max : chunks;
}

/// Where keys stay in shared memory: tiles of queries for each block, as many as leave enough blocks. Sums do not depend on it.
template <typename Starter>
int tilesPerBlockFor(int64_t tiles, int threads, const Starter& starter)
{
    constexpr int64_t max = 8;
    const int64_t spare = tiles * (threads / lanesOfWarp) / starter.busyWarps();
    return int(spare < 1 ? 1 : spare > max ? max : spare);
}

inline int64_t scratchFor(const FusedAttention& task)
{
    const int64_t chunks = chunksFor(task);
    return chunks == 1 ? 0 : task.counts.matrices() * task.queryCount * chunks * (task.valueDim + 2);
}

template <typename Starter, typename T, int D, Weights weights>
int fusedAttentionWith(const FusedAttention& task, const Starter& starter)
{
    const bool streams = streamsQueries(weights, task.keyCount);
    Grid grid = gridFor(task.queryCount, task.counts.matrices(), starter, [&](int rows) {
        return Room<T, D>::size(streams ? 2 * rows : rows, true, weights == Weights::Landmarks);
    });
    grid.chunks = chunksFor(task);
    const int tilesPerBlock = streams ? tilesPerBlockFor(grid.blocks, grid.threads, starter) : 1;
    const int64_t perMatrix = grid.blocks / task.counts.matrices();
    grid.blocks = (perMatrix + tilesPerBlock - 1) / tilesPerBlock * task.counts.matrices();
    const int error = starter.launch(fusedAttentionKernel<T, D, weights>, grid, task, tilesPerBlock);
    if (error != 0 || grid.chunks == 1)
        return error;
    constexpr int mergeThreads = 128;
    const int64_t warps = task.counts.matrices() * task.queryCount, perBlock = mergeThreads / lanesOfWarp;
    return starter.launch(mergeKernel<T>, Grid{(warps + perBlock - 1) / perBlock, 1, mergeThreads, 0}, task,
                          int(grid.chunks));
}

template <typename Starter, typename T, int D>
int fusedForHeadDim(const FusedAttention& task, const Starter& starter)
{
    if (task.weights == Weights::Softmax)
        return fusedAttentionWith<Starter, T, D, Weights::Softmax>(task, starter);
    if (task.weights == Weights::Landmarks)
        return fusedAttentionWith<Starter, T, D, Weights::Landmarks>(task, starter);
    if (task.weights == Weights::Random)
        return fusedAttentionWith<Starter, T, D, Weights::Random>(task, starter);
    // Signed sums cancel more digits than 16-bit numbers have, so Fourier features exist in float32 only.
    if constexpr (sizeof(T) == sizeof(float))
        return task.weights == Weights::FourierKeys
                   ? fusedAttentionWith<Starter, T, D, Weights::FourierKeys>(task, starter)
                   : fusedAttentionWith<Starter, T, D, Weights::FourierQueries>(task, starter);
    return starter.refuse();
}

template <typename Starter, typename T>
int fusedAttentionOf(const FusedAttention& task, const Starter& starter)
{
    const int width = task.width > task.valueDim ? task.width : task.valueDim;
    // With heads of 72, 80 and 88 channels LARA's landmarks fit into 99 KiB.
    if constexpr (sizeof(T) == sizeof(float))
        if (task.weights == Weights::Landmarks && width > 64 && width <= 96)
            return fusedAttentionWith<Starter, T, 96, Weights::Landmarks>(task, starter);
    return width <= 32   ? fusedForHeadDim<Starter, T, 32>(task, starter)
           : width <= 64 ? fusedForHeadDim<Starter, T, 64>(task, starter)
                         : fusedForHeadDim<Starter, T, widestHead>(task, starter);
}

template <typename Starter, typename T, int D>
int drawWith(const DrawKeys& task, const Starter& starter)
{
    const int64_t stretch = ((task.keyCount + keyTile - 1) / keyTile + maxStretches - 1) / maxStretches * keyTile;
    const int64_t perRow = 2 * ((task.keyCount + stretch - 1) / stretch) * int64_t(sizeof(float));
    return starter.launch(drawKernel<T, D>,
                          gridFor(task.queryCount, task.counts.matrices(), starter,
                                  [&](int rows) { return Room<T, D>::size(rows, false, false) + rows * perRow; }),
                          task);
}

template <typename Starter, typename T>
int drawOf(const DrawKeys& task, const Starter& starter)
{
    return task.width <= 32   ? drawWith<Starter, T, 32>(task, starter)
           : task.width <= 64 ? drawWith<Starter, T, 64>(task, starter)
                              : drawWith<Starter, T, widestHead>(task, starter);
}

template <typename Starter>
int balanceOf(const Balance& task, const Starter& starter)
{
    return starter.launch(balanceKernel<float>, Grid{task.matrices, 1, 128, sharedForBalance(task)}, task);
}

}

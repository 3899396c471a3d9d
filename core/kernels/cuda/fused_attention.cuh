#pragma once

#include "core/kernels/cuda/block.cuh"
#include "core/kernels/cuda/random_queries.cuh"

/// One pass of queries over tiles of keys: a block takes 16 queries per warp, `tilesPerBlock` times, and one chunk of the keys.
namespace attnscope::kernels::cuda {

template <typename T, int D, Weights weights>
class FusedAttentionKernel {
public:
    ATTNSCOPE_DEVICE FusedAttentionKernel(const FusedAttention& task, int tilesPerBlock)
        : m_task(task)
        , m_rows(int(blockDim.x) / lanesOfWarp * 16)
        , m_tilesPerBlock(tilesPerBlock)
        , m_blocks((task.queryCount + m_rows * tilesPerBlock - 1) / (m_rows * tilesPerBlock))
        , m_place(task.counts, int64_t(blockIdx.x) / m_blocks)
        , m_first(int64_t(blockIdx.x) % m_blocks * m_rows * tilesPerBlock)
        , m_room(sharedMemory(), streamsQueries(weights, task.keyCount) ? 2 * m_rows : m_rows)
        , m_queries(m_room.queries)
    {
        if constexpr (weights == Weights::Landmarks)
            m_room.addLandmarks();
    }

    ATTNSCOPE_DEVICE void run()
    {
        if constexpr (weights == Weights::Random) {
            float total[D / 8][4] = {};
            for (int draw = 0; draw < m_task.random.draws; ++draw) {
                __syncthreads();  // the previous sample may still be in use
                makeQueries(m_task, m_place, m_first, draw, m_room.queries, m_room.keyStride, m_rows);
                visitKeys();
                average(total);
            }
            write(total);
        } else if (streamsQueries(weights, m_task.keyCount)) {
            streamQueries();
        } else {
            loadQueries();
            if constexpr (weights == Weights::Landmarks)
                averageLandmarks();
            visitKeys();
            finish();
        }
    }

private:
    using Scores = float[8][4];

    // --- layout of a warp ---

    ATTNSCOPE_DEVICE const T* warpQueries() const { return m_queries + 16 * warpOf() * m_room.keyStride; }
    /// Row `half` (0 or 1) of this lane, counted from the first query of the matrix.
    ATTNSCOPE_DEVICE int64_t rowOf(int rowOfLane) const
    {
        return m_first + 16 * warpOf() + laneOf() / 4 + 8 * rowOfLane;
    }
    ATTNSCOPE_DEVICE bool present(int rowOfLane) const { return rowOf(rowOfLane) < m_task.queryCount; }
    ATTNSCOPE_DEVICE int64_t placeOf(int rowOfLane) const
    {
        return m_place.matrix * m_task.queryCount + rowOf(rowOfLane);
    }

    ATTNSCOPE_DEVICE int features() const { return m_task.features; }

    /// Rows of features: S sines, then S cosines of the same angles.
    ATTNSCOPE_DEVICE void loadRepeated(T* tile, const Matrices& from, int64_t first, int rows, int64_t count) const
    {
        const T* data = m_place.template in<T>(from);
        const int columns = wholeDepths(m_task.width);
        for (int i = int(threadIdx.x); i < rows * columns; i += int(blockDim.x)) {
            const int64_t row = first + i / columns;
            const int column = i % columns;
            const bool there = row < count && column < m_task.width;
            tile[i / columns * m_room.keyStride + column] = there ? data[row % features() * from.row + column]
                                                                  : narrowed<T>(0);
        }
    }

    ATTNSCOPE_DEVICE void loadQueries()
    {
        if constexpr (weights == Weights::FourierKeys) {
            loadRepeated(m_room.queries, m_task.queries, m_first, m_rows, m_task.queryCount);
            return;
        }
        const T* from = m_place.template in<T>(m_task.queries) + m_first * m_task.queries.row;
        const auto count = int(min<int64_t>(m_rows, m_task.queryCount - m_first));
        loadTile(m_room.queries, m_room.keyStride, m_rows, from, m_task.queries.row, count, m_task.width,
                 wholeDepths(m_task.width));
    }

    /// The 16 queries of this warp of the tile that begins at `first`, by its lanes.
    ATTNSCOPE_DEVICE void loadOwnQueries(T* tile, int64_t first) const
    {
        const int64_t own = first + 16 * warpOf();
        const auto count = int(min<int64_t>(16, m_task.queryCount - own));  // none: below 1
        loadTile(tile + 16 * warpOf() * m_room.keyStride, m_room.keyStride, 16,
                 m_place.template in<T>(m_task.queries) + own * m_task.queries.row, m_task.queries.row, count,
                 m_task.width, wholeDepths(m_task.width), laneOf(), lanesOfWarp);
    }

    /// The keys stay, and each warp goes through its queries without waiting for others: it loads the next ones while it computes.
    ATTNSCOPE_DEVICE void streamQueries()
    {
        T *now = m_room.queries, *next = now + m_rows * m_room.keyStride;
        const int64_t end = min(m_first + int64_t(m_tilesPerBlock) * m_rows, m_task.queryCount);
        loadOwnQueries(now, m_first);
        loadKeys(0, m_task.keyCount);
        for (; m_first < end; m_first += m_rows) {
            waitForCopies();
            __syncwarp();
            if (m_first + m_rows < end)
                loadOwnQueries(next, m_first + m_rows);
            m_queries = now;
            clear();
            if (m_task.keyCount == keyTile)
                visitTile(0, WholeTile());
            else
                visitTile(0, PartOfTile{int(m_task.keyCount)});
            finish();
            T* const done = now;
            now = next;
            next = done;
        }
    }

    // --- keys ---

    /// Loads a tile of keys, values and biases with all threads of the block.
    ATTNSCOPE_DEVICE void loadKeys(int64_t begin, int64_t end)
    {
        const auto count = int(min<int64_t>(keyTile, end - begin));
        __syncthreads();  // the previous tile may still be in use
        if constexpr (weights == Weights::FourierQueries)
            loadRepeated(m_room.keys, m_task.keys, begin, keyTile, end);
        else
            loadTile(m_room.keys, m_room.keyStride, keyTile,
                     m_place.template in<T>(m_task.keys) + begin * m_task.keys.row, m_task.keys.row, count,
                     m_task.width, wholeDepths(m_task.width));
        if (m_task.values.data != nullptr)
            loadTile(m_room.values, m_room.valueStride, keyTile,
                     m_place.template in<T>(m_task.values) + begin * m_task.values.row, m_task.values.row, count,
                     m_task.valueDim, wholeDepths(m_task.valueDim));
        if constexpr (weights == Weights::Landmarks)
            loadLandmarks(begin);
        waitForCopies();
        __syncthreads();
        for (int j = int(threadIdx.x); j < keyTile; j += int(blockDim.x))
            m_room.biases[j] = j < count ? biasOf(begin, j) : nothing;
        __syncthreads();
    }

    ATTNSCOPE_DEVICE float biasOf(int64_t begin, int j) const
    {
        float bias = m_task.bias == nullptr ? 0.0f : m_task.bias[m_place.matrix * m_task.keyCount + begin + j];
        if (m_task.normWeight == 0)
            return bias;
        const T* key = m_room.keys + j * m_room.keyStride;
        float square = 0;
        for (int d = 0; d < m_task.width; d += Vector<T>::size) {  // up to zeros behind the last column
            const auto some = vectorAt(key + d);
            ATTNSCOPE_UNROLL
            for (int i = 0; i < Vector<T>::size; ++i)
                square = fmaf(widened(some.x[i]), widened(some.x[i]), square);
        }
        return bias - m_task.normWeight * square;
    }

    ATTNSCOPE_DEVICE void clear()
    {
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            m_maximum[rowOfLane] = nothing;
            m_sum[rowOfLane] = 0;
        }
        ATTNSCOPE_UNROLL
        for (int block = 0; block < D / 8; ++block)
            for (int i = 0; i < 4; ++i)
                m_output[block][i] = 0;
    }

    ATTNSCOPE_DEVICE void visitKeys()
    {
        clear();
        const int64_t begin = int64_t(blockIdx.y) * keysOfChunk();
        const int64_t end = min(begin + keysOfChunk(), m_task.keyCount);
        for (int64_t at = begin; at < end; at += keyTile) {
            loadKeys(at, end);
            constexpr bool waves = weights == Weights::FourierKeys
                                   || weights
                                          == Weights::FourierQueries;  // one copy of sines and cosines is enough
            if (waves || end - at >= keyTile)
                visitTile(at, WholeTile());
            else if constexpr (!waves)
                visitTile(at, PartOfTile{int(end - at)});
        }
    }

    template <typename Tile>
    ATTNSCOPE_DEVICE void visitTile(int64_t begin, const Tile& tile)
    {
        Scores scores;
        scoreTile(warpQueries(), m_room.keys, m_room.keyStride, tile, m_task.width, scores);
        if constexpr (weights == Weights::FourierKeys || weights == Weights::FourierQueries)
            takeWaves(scores, begin, tile);
        else
            takeExponentials(scores, begin, tile);
        if (m_task.values.data != nullptr)
            Fragments<T>::template addValues<D / 8>(m_output, scores, m_room.values, m_room.valueStride, tile,
                                                    (m_task.valueDim + 7) / 8);
    }

    ATTNSCOPE_DEVICE int64_t keysOfChunk() const
    {
        const int64_t tiles = (m_task.keyCount + keyTile - 1) / keyTile, chunks = gridDim.y;
        return (tiles + chunks - 1) / chunks * keyTile;
    }

    // --- from logits to weights ---

    /// Column i (0 … 3) of block: key 8·block + 2t + (i odd), query of half i / 2.
    ATTNSCOPE_DEVICE static int keyOf(int block, int i) { return 8 * block + 2 * (laneOf() % 4) + i % 2; }

    ATTNSCOPE_DEVICE void raise(int rowOfLane, float maximum)
    {
        const float factor = exponential(m_maximum[rowOfLane] - maximum);
        m_maximum[rowOfLane] = maximum;
        m_sum[rowOfLane] *= factor;
        ATTNSCOPE_UNROLL
        for (int block = 0; block < D / 8; ++block) {
            m_output[block][2 * rowOfLane] *= factor;
            m_output[block][2 * rowOfLane + 1] *= factor;
        }
    }

    // Blocks of 8 keys that the tile does not reach keep the weight 0 that they have from scoreTile.

    template <typename Tile>
    ATTNSCOPE_DEVICE void takeExponentials(Scores& scores, int64_t begin, const Tile& tile)
    {
        float found[2] = {m_maximum[0], m_maximum[1]};
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            ATTNSCOPE_UNROLL
            for (int i = 0; i < 4; ++i) {
                scores[block][i] = fmaf(scores[block][i], m_task.scale, m_room.biases[keyOf(block, i)]);
                found[i / 2] = max(found[i / 2], scores[block][i]);
            }
        }
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            raise(rowOfLane, largestOfFour(found[rowOfLane]));
        if constexpr (weights == Weights::Landmarks)
            weighLandmarks(scores, begin, tile);
        else
            (void)begin;
        float added[2] = {0, 0};
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            ATTNSCOPE_UNROLL
            for (int i = 0; i < 4; ++i) {
                if constexpr (weights != Weights::Landmarks)
                    scores[block][i] = exponential(scores[block][i] - m_maximum[i / 2]);
                added[i / 2] += scores[block][i];
            }
        }
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            m_sum[rowOfLane] += sumOfFour(added[rowOfLane]);
    }

    /// Sines and cosines. Those of keys are multiplied by exp of their bias relative to the running maximum, which is the same for all
    /// rows.
    template <typename Tile>
    ATTNSCOPE_DEVICE void takeWaves(Scores& scores, int64_t begin, const Tile& tile)
    {
        if constexpr (weights == Weights::FourierKeys) {
            float largest = m_maximum[0];
            for (int j = 0; j < keyTile; ++j)
                largest = max(largest, m_room.biases[j]);
            raise(0, largest);
            raise(1, largest);
        }
        float added[2] = {0, 0};
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            ATTNSCOPE_UNROLL
            for (int i = 0; i < 4; ++i) {
                const int key = keyOf(block, i);
                const float angle = scores[block][i] * m_task.scale;
                if constexpr (weights == Weights::FourierKeys) {
                    scores[block][i] = (rowOf(i / 2) < features() ? sinf(angle) : cosf(angle))
                                       * exponential(m_room.biases[key] - m_maximum[0]);
                    added[i / 2] += scores[block][i];
                } else {
                    const bool there = begin + key < m_task.keyCount;
                    scores[block][i] = !there ? 0.0f : begin + key < features() ? sinf(angle) : cosf(angle);
                    added[i / 2] += there ? scores[block][i]
                                                * m_task.keySums[m_place.matrix * m_task.keyCount + begin + key]
                                          : 0.0f;
                }
            }
        }
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            m_sum[rowOfLane] += sumOfFour(added[rowOfLane]);
    }

    // --- LARA ---

    ATTNSCOPE_DEVICE void loadLandmarks(int64_t begin)
    {
        const Matrices& from = m_task.landmarks.landmarks;
        const auto count = int(min<int64_t>(keyTile, m_task.keyCount - begin));
        loadTile(m_room.landmarks, m_room.keyStride, keyTile, m_place.template in<T>(from) + begin * from.row,
                 from.row, count, m_task.width, wholeDepths(m_task.width));
    }

    /// r_nc of the landmarks in shared memory; 0 in the padding.
    template <typename Tile>
    ATTNSCOPE_DEVICE void landmarkSoftmax(Scores& r, int64_t begin, const Tile& tile) const
    {
        scoreTile(warpQueries(), m_room.landmarks, m_room.keyStride, tile, m_task.width, r);
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            ATTNSCOPE_UNROLL
            for (int i = 0; i < 4; ++i) {
                const int64_t c = begin + keyOf(block, i);
                r[block][i] = c < m_task.keyCount
                                  ? exponential(r[block][i] * m_task.scale
                                                - m_task.landmarks.normaliser[m_place.pair * m_task.keyCount + c])
                                  : 0.0f;
            }
        }
    }

    /// Adds up r_nc of a tile.
    ATTNSCOPE_DEVICE static void addLandmarks(const Scores& r, float (&added)[2])
    {
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block)
            ATTNSCOPE_UNROLL
        for (int i = 0; i < 4; ++i)
            added[i / 2] += r[block][i];
    }

    /// mean_c r_nc, which all weights depend on.
    ATTNSCOPE_DEVICE void setMeanFraction(const float (&added)[2])
    {
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            m_meanFraction[rowOfLane] = sumOfFour(added[rowOfLane]) / float(m_task.keyCount);
    }

    /// Of more landmarks than one tile.
    ATTNSCOPE_DEVICE void averageLandmarks()
    {
        float added[2] = {0, 0};
        for (int64_t at = 0; at < m_task.keyCount; at += keyTile) {
            __syncthreads();
            loadLandmarks(at);
            waitForCopies();
            __syncthreads();
            Scores r;
            landmarkSoftmax(r, at, PartOfTile{int(min<int64_t>(keyTile, m_task.keyCount - at))});
            addLandmarks(r, added);
        }
        setMeanFraction(added);
    }

    /// Turns logits into exponentials times α.
    template <typename Tile>
    ATTNSCOPE_DEVICE void weighLandmarks(Scores& scores, int64_t begin, const Tile& tile)
    {
        Scores r;
        landmarkSoftmax(r, begin, tile);
        if (streamsQueries(weights, m_task.keyCount)) {
            float added[2] = {0, 0};
            addLandmarks(r, added);
            setMeanFraction(added);
        }
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            ATTNSCOPE_UNROLL
            for (int i = 0; i < 4; ++i) {
                const int64_t c = begin + keyOf(block, i);
                const float balance = c < m_task.keyCount
                                          ? m_task.landmarks.balance[m_place.pair * m_task.keyCount + c]
                                          : 0.0f;
                float alpha = fmaf(m_task.landmarks.beta, r[block][i] - m_meanFraction[i / 2], balance);
                if (m_task.landmarks.floor > 0)
                    alpha = max(alpha, m_task.landmarks.floor);
                scores[block][i] = exponential(scores[block][i] - m_maximum[i / 2]) * alpha;
            }
        }
    }

    // --- results ---

    ATTNSCOPE_DEVICE void average(float (&total)[D / 8][4])
    {
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane)
            m_sum[rowOfLane] = 1 / (m_sum[rowOfLane] * float(m_task.random.draws));
        ATTNSCOPE_UNROLL
        for (int block = 0; block < D / 8; ++block)
            ATTNSCOPE_UNROLL
        for (int i = 0; i < 4; ++i)
            total[block][i] += m_output[block][i] * m_sum[i / 2];
    }

    ATTNSCOPE_DEVICE void finish()
    {
        if (gridDim.y > 1)
            return writeChunk();
        float inverse[2] = {1, 1};
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            const float sum = weights == Weights::FourierQueries ? guarded(m_sum[rowOfLane]) : m_sum[rowOfLane];
            if (weights != Weights::FourierKeys)
                inverse[rowOfLane] = 1 / sum;
            if (m_task.logSums != nullptr && present(rowOfLane) && laneOf() % 4 == 0) {
                const float shift = m_task.shift == nullptr
                                        ? 0.0f
                                        : m_task.shift[m_place.pair * m_task.queryCount + rowOf(rowOfLane)];
                m_task.logSums[placeOf(rowOfLane)] = weights == Weights::FourierKeys
                                                         ? sum
                                                         : m_maximum[rowOfLane] + logf(sum) - shift;
            }
        }
        if (m_task.output.data == nullptr)
            return;
        ATTNSCOPE_UNROLL
        for (int block = 0; block < D / 8; ++block)
            ATTNSCOPE_UNROLL
        for (int i = 0; i < 4; ++i)
            m_output[block][i] *= inverse[i / 2];
        write(m_output);
    }

    /// Raises the magnitude and keeps the sign: estimates of a sum by sines and cosines can vanish or become negative.
    ATTNSCOPE_DEVICE float guarded(float x) const
    {
        const float size = max(fabsf(x), m_task.minDenominator);
        return x < 0 ? -size : size;
    }

    ATTNSCOPE_DEVICE void write(const float (&output)[D / 8][4]) const
    {
        const Output& to = m_task.output;
        const int64_t base = m_place.sample * to.sample + m_place.head * to.head + m_place.group * to.group;
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            if (!present(rowOfLane))
                continue;
            const int64_t at = base + rowOf(rowOfLane) * to.row;
            if (to.float32)
                writeRow(static_cast<float*>(to.data) + at, output, rowOfLane);
            else
                writeRow(static_cast<T*>(to.data) + at, output, rowOfLane);
        }
    }

    /// Two columns at a time, which lie next to each other.
    template <typename Out>
    ATTNSCOPE_DEVICE void writeRow(Out* to, const float (&output)[D / 8][4], int rowOfLane) const
    {
        struct alignas(2 * sizeof(Out)) Two {
            Out x, y;
        };
        const bool twoAtOnce = reinterpret_cast<std::uintptr_t>(to) % sizeof(Two) == 0;
        ATTNSCOPE_UNROLL
        for (int block = 0; block < D / 8; ++block) {
            const int column = 8 * block + 2 * (laneOf() % 4);
            const auto x = narrowed<Out>(output[block][2 * rowOfLane]),
                       y = narrowed<Out>(output[block][2 * rowOfLane + 1]);
            if (twoAtOnce && column + 1 < m_task.valueDim) {
                *reinterpret_cast<Two*>(to + column) = {x, y};
                continue;
            }
            if (column < m_task.valueDim)
                to[column] = x;
            if (column + 1 < m_task.valueDim)
                to[column + 1] = y;
        }
    }

    /// Writes maximum, sum and values of this chunk of the keys, for merge.cuh.
    ATTNSCOPE_DEVICE void writeChunk() const
    {
        const int64_t row = m_task.valueDim + 2;
        ATTNSCOPE_UNROLL
        for (int rowOfLane = 0; rowOfLane < 2; ++rowOfLane) {
            if (!present(rowOfLane))
                continue;
            float* to = m_task.scratch + (placeOf(rowOfLane) * gridDim.y + blockIdx.y) * row;
            if (laneOf() % 4 == 0) {
                to[0] = m_maximum[rowOfLane];
                to[1] = m_sum[rowOfLane];
            }
            ATTNSCOPE_UNROLL
            for (int block = 0; block < D / 8; ++block)
                ATTNSCOPE_UNROLL
            for (int i = 0; i < 2; ++i) {
                const int column = 8 * block + 2 * (laneOf() % 4) + i;
                if (column < m_task.valueDim)
                    to[2 + column] = m_output[block][2 * rowOfLane + i];
            }
        }
    }

    const FusedAttention& m_task;
    int m_rows, m_tilesPerBlock;
    int64_t m_blocks;  ///< of each matrix
    Place m_place;
    int64_t m_first;
    Room<T, D> m_room;
    const T* m_queries;  ///< the tile in use
    float m_maximum[2], m_sum[2], m_meanFraction[2], m_output[D / 8][4];
};

template <typename T, int D, Weights weights>
__global__ void fusedAttentionKernel(const FusedAttention task, int tilesPerBlock)
{
    FusedAttentionKernel<T, D, weights>(task, tilesPerBlock).run();
}

}
